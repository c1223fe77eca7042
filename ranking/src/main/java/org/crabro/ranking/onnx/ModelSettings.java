package org.crabro.ranking.onnx;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a container runs a model; a content node runs each evaluation on the calling thread.
 *
 * @param intraOpThreads the number of threads for one operation, in adaptive mode the maximum: a
 *     positive number as it is; for a negative number the processors divided by its magnitude, at
 *     least 1; 0 for all processors
 * @param interOpThreads the number of concurrent operations in parallel mode; with the same meaning
 * @param isOptimized whether the graph is optimized when it is loaded
 */
public record ModelSettings(
        int intraOpThreads, int interOpThreads, ExecutionMode mode, boolean isOptimized) {
    /** The maximum magnitude of the numbers of threads. */
    public static final int THREADS_MAX = 1_024;

    /** The default of both numbers if a mode other than adaptive is set. */
    private static final int THREADS = -4;

    /** The defaults. */
    public static final ModelSettings DEFAULT =
            new ModelSettings(0, THREADS, ExecutionMode.ADAPTIVE, true);

    public ModelSettings {
        if (Math.abs(intraOpThreads) > THREADS_MAX || Math.abs(interOpThreads) > THREADS_MAX) {
            throw new IllegalArgumentException(
                    "threads out of range: %d, %d".formatted(intraOpThreads, interOpThreads));
        }
    }

    /**
     * Returns settings from those that a package sets. Without a mode, the model is adaptive if no
     * number of threads is set, and sequential otherwise.
     */
    public static ModelSettings of(
            Optional<ExecutionMode> mode,
            OptionalInt intraOpThreads,
            OptionalInt interOpThreads,
            boolean isOptimized) {
        boolean hasThreads = intraOpThreads.isPresent() || interOpThreads.isPresent();
        ExecutionMode chosen =
                mode.orElse(hasThreads ? ExecutionMode.SEQUENTIAL : ExecutionMode.ADAPTIVE);
        return new ModelSettings(
                intraOpThreads.orElse(chosen == ExecutionMode.ADAPTIVE ? 0 : THREADS),
                interOpThreads.orElse(THREADS),
                chosen,
                isOptimized);
    }

    /** Returns settings for a fixed number of threads for one operation. */
    public static ModelSettings sequential(int intraOpThreads) {
        return new ModelSettings(intraOpThreads, THREADS, ExecutionMode.SEQUENTIAL, true);
    }

    /** Returns these settings with another number of concurrent operations in parallel mode. */
    public ModelSettings withInterOpThreads(int other) {
        return new ModelSettings(intraOpThreads, other, mode, isOptimized);
    }

    /**
     * Returns how many runs use all processors together; those of adaptive models have one each.
     */
    int runsAtOnce(int processors) {
        return mode == ExecutionMode.ADAPTIVE
                ? processors
                : Math.max(1, processors / Math.max(1, threads(intraOpThreads, processors)));
    }

    /** Returns the number of threads of a setting; 0 for the default of ONNX Runtime. */
    static int threads(int setting, int processors) {
        return setting < 0 ? Math.max(1, Math.ceilDiv(processors, -setting)) : setting;
    }
}
