package org.crabro.ranking.onnx;

import ai.onnxruntime.OrtException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;

/**
 * Platform threads for runs that virtual threads ask for. A virtual thread keeps its carrier thread
 * during a native call, so long runs would stop all other requests. {@code CorePolicy} limits the
 * runs, and so the threads, to at most twice the number of cores.
 */
final class RunThreads {
    private static final Executor THREADS =
            Executors.newCachedThreadPool(
                    Thread.ofPlatform().daemon().name("onnx-run-", 0).factory());

    private RunThreads() {}

    /**
     * Runs {@code call} on a platform thread, and returns its result. Waits in spite of interrupts.
     */
    static <T> T run(Callable<T> call) throws OrtException {
        var task = new FutureTask<>(call);
        THREADS.execute(task);
        return result(task);
    }

    /**
     * Runs {@code call} on a new thread, and returns its result. Native threads that the call
     * starts get the name of this thread; otherwise they would get that of the caller.
     */
    static <T> T named(String name, Callable<T> call) throws OrtException {
        var task = new FutureTask<>(call);
        Thread.ofPlatform().daemon().name(name).start(task);
        return result(task);
    }

    private static <T> T result(FutureTask<T> task) throws OrtException {
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    // The run uses buffers of the caller, and cannot be stopped.
                    isInterrupted = true;
                } catch (ExecutionException e) {
                    throw failure(Objects.requireNonNull(e.getCause()));
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException failure(Throwable cause) throws OrtException {
        switch (cause) {
            case OrtException failed -> throw failed;
            case RuntimeException failed -> throw failed;
            case Error failed -> throw failed;
            default -> throw new IllegalStateException(cause);
        }
    }
}
