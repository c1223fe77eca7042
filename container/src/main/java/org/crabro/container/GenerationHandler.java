package org.crabro.container;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import org.crabro.container.http.JsonReply;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.memory.RequestMemory;
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

    private final RequestMemory memory;

    /**
     * Passes each request to the handler of the port at which it came in.
     *
     * @param memory for the values of all requests
     */
    GenerationHandler(ActiveGeneration active, RequestMemory memory) {
        this(active, memory, Request::getLocalPort);
    }

    /**
     * @param memory for the values of all requests
     * @param port returns the port whose handler answers a request
     */
    GenerationHandler(ActiveGeneration active, RequestMemory memory, ToIntFunction<Request> port) {
        this.active = active;
        this.memory = memory;
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
        MemoryShare share = memory.open();
        Runnable release = once(generation, share);
        boolean handled = false;
        try {
            handled =
                    share.call(() ->
                            generation
                                    .handler(port.applyAsInt(request))
                                    .handle(request, response, Callback.from(callback, release)));
        } catch (MemoryRefusedException e) {
            // Handlers with another form of errors answer this exception themselves.
            handled = true;
            refuse(e, request, response, Callback.from(callback, release));
        } finally {
            // An unhandled or failed request may never complete the callback.
            if (!handled) {
                release.run();
            }
        }
        return handled;
    }

    private static void refuse(
            MemoryRefusedException refusal, Request request, Response response, Callback callback) {
        if (response.isCommitted()) {
            callback.failed(refusal);
            return;
        }
        int status =
                refusal.isTooLarge()
                        ? HttpStatus.PAYLOAD_TOO_LARGE_413
                        : HttpStatus.TOO_MANY_REQUESTS_429;
        if (!refusal.isTooLarge()) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
        }
        JsonReply.sendProblem(
                request, response, callback, status, String.valueOf(refusal.getMessage()));
    }

    private static Runnable once(Generation generation, MemoryShare share) {
        var released = new AtomicBoolean();
        return () -> {
            if (released.compareAndSet(false, true)) {
                share.close();
                generation.release();
            }
        };
    }
}
