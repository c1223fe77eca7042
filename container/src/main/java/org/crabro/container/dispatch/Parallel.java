package org.crabro.container.dispatch;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.crabro.protocol.trace.Spans;

/** Runs the calls of one request at the same time. */
final class Parallel {
    private Parallel() {}

    /**
     * Runs all calls, the first one on the caller's thread, and waits for their ends. Throws what a
     * call has thrown.
     *
     * @param threads run the others
     */
    static void run(List<Runnable> calls, Executor threads) {
        if (calls.isEmpty()) {
            return;
        }
        CompletableFuture<?>[] others =
                calls.stream()
                        .skip(1)
                        .map(call -> CompletableFuture.runAsync(Spans.carried(call), threads))
                        .toArray(CompletableFuture[]::new);
        try {
            calls.getFirst().run();
        } finally {
            join(CompletableFuture.allOf(others));
        }
    }

    private static void join(CompletableFuture<?> all) {
        try {
            all.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw e;
            }
        }
    }
}
