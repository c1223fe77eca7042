package org.crabro.ranking.onnx;

/**
 * How a container runs a model; a content node runs each evaluation on the calling thread.
 *
 * @param intraOpThreads the number of threads for one operation: a positive number as it is; for a
 *     negative number the processors divided by its magnitude, at least 1; 0 for the default of
 *     ONNX Runtime
 * @param interOpThreads the number of concurrent operations if {@code isParallel}; with the same
 *     meaning
 * @param isOptimized whether the graph is optimized when it is loaded
 */
public record ModelSettings(
        int intraOpThreads, int interOpThreads, boolean isParallel, boolean isOptimized) {
    /** The maximum magnitude of the numbers of threads. */
    public static final int THREADS_MAX = 1_024;

    /** The defaults. */
    public static final ModelSettings DEFAULT = new ModelSettings(-4, -4, false, true);

    public ModelSettings {
        if (Math.abs(intraOpThreads) > THREADS_MAX || Math.abs(interOpThreads) > THREADS_MAX) {
            throw new IllegalArgumentException(
                    "threads out of range: %d, %d".formatted(intraOpThreads, interOpThreads));
        }
    }
}
