package org.crabro.container;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.crabro.container.http.JsonReply;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Hands each request to the generation that is active when it comes; it ends with that one,
 * whatever is activated meanwhile.
 */
final class GenerationHandler extends Handler.Abstract {
    private final AtomicReference<@Nullable Generation> active = new AtomicReference<>();

    /** Makes {@code generation} the active one and returns the one it replaces. */
    Optional<Generation> activate(Generation generation) {
        return Optional.ofNullable(active.getAndSet(generation));
    }

    /** Returns the number of the active generation, 0 for none. */
    long number() {
        Generation generation = active.get();
        return generation == null ? 0 : generation.number();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Generation generation = acquire();
        if (generation == null) {
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.SERVICE_UNAVAILABLE_503,
                    "message",
                    "no application is deployed: post a package to the config server first");
            return true;
        }
        Runnable release = once(generation);
        boolean handled = false;
        try {
            handled =
                    generation
                            .handler()
                            .handle(request, response, Callback.from(callback, release));
        } finally {
            // An untouched or failed request may never complete the callback that was handed on.
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

    private @Nullable Generation acquire() {
        Generation generation = active.get();
        while (generation != null && !generation.acquire()) {
            generation = active.get();
        }
        return generation;
    }
}
