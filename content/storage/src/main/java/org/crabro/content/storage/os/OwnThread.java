package org.crabro.content.storage.os;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs long tasks for callers that may be virtual threads or may be interrupted: an interrupt
 * closes file channels.
 */
public final class OwnThread {
    private OwnThread() {}

    /**
     * Runs {@code work} on a new thread, and returns its result.
     *
     * @throws IOException what {@code work} throws
     */
    public static <T> T call(String name, Callable<T> work) throws IOException {
        var task = new FutureTask<>(work);
        Thread.ofPlatform().name(name).start(task);
        boolean wasInterrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException _) {
                    wasInterrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
