package org.crabro.ranking.onnx;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession.RunOptions;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the runs of one query at its deadline, also between two steps of a loop in a model. Without
 * it, a run of a model with an endless loop never ends. Thread-safe.
 */
final class RunEnd implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunEnd.class);

    /** One thread for all queries; its tasks set a flag. */
    private static final ScheduledExecutorService CLOCK =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("onnx-end").factory());

    private final long deadline;

    // Guarded by this.
    private @Nullable RunOptions options;
    private @Nullable Future<?> alarm;
    private boolean isEnded;

    /**
     * @param deadline on the scale of {@link System#nanoTime()}
     */
    RunEnd(long deadline) {
        this.deadline = deadline;
    }

    /** Returns the options of each run of the query, which all share. */
    synchronized RunOptions options() throws OrtException {
        RunOptions current = options;
        if (current == null) {
            current = new RunOptions();
            options = current;
            alarm = CLOCK.schedule(this::end, deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
        return current;
    }

    /** Returns whether runs were ended. */
    synchronized boolean isEnded() {
        return isEnded;
    }

    private synchronized void end() {
        RunOptions current = options;
        if (current != null) {
            try {
                isEnded = true;
                current.setTerminate(true);
            } catch (OrtException e) {
                LOG.error("a run of a model cannot be ended", e);
            }
        }
    }

    /** Called when no run is in progress. */
    @Override
    public synchronized void close() {
        RunOptions current = options;
        Future<?> ring = alarm;
        if (current != null && ring != null) {
            ring.cancel(false);
            options = null;
            current.close();
        }
    }
}
