package org.crabro.container;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import org.crabro.container.http.JsonReply;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Passes each request to the generation that is active at its arrival. The request ends with that
 * generation, even if another one is activated.
 */
final class GenerationHandler extends Handler.Abstract {
    private final ActiveGeneration active;
    private final ToIntFunction<Request> port;

    /** Passes each request to the handler of the port at which it came in. */
    GenerationHandler(ActiveGeneration active) {
        this(active, Request::getLocalPort);
    }

    /**
     * @param port returns the port whose handler answers a request
     */
    GenerationHandler(ActiveGeneration active, ToIntFunction<Request> port) {
        this.active = active;
        this.port = port;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Optional<Generation> acquired = active.acquire();
        if (acquired.isEmpty()) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
            JsonReply.sendProblem(
                    request,
                    response,
                    callback,
                    HttpStatus.SERVICE_UNAVAILABLE_503,
                    "no application is deployed: post a package to the config server first");
            return true;
        }
        Generation generation = acquired.get();
        Runnable release = once(generation);
        boolean handled = false;
        try {
            handled =
                    generation
                            .handler(port.applyAsInt(request))
                            .handle(request, response, Callback.from(callback, release));
        } finally {
            // An unhandled or failed request may never complete the callback.
            if (!handled) {
                release.run();
            }
        }
        return handled;
    }

    private static Runnable once(Generation generation) {
        var released = new AtomicBoolean();
        return () -> {
            if (released.compareAndSet(false, true)) {
                generation.release();
            }
        };
    }
}
