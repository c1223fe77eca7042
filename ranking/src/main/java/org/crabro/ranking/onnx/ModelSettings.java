package org.crabro.ranking.onnx;

/**
 * How a container runs a model; content nodes run each evaluation on the one thread that asks.
 *
 * @param intraOpThreads how many threads work on one operation: above 0 that many; below 0 the
 *     processors over that many, at least 1; 0 for as many as ONNX Runtime takes
 * @param interOpThreads how many operations run side by side where {@code isParallel}; numbers mean
 *     the same
 * @param isOptimized whether the graph is made faster when it is loaded
 */
public record ModelSettings(
        int intraOpThreads, int interOpThreads, boolean isParallel, boolean isOptimized) {
    /** Numbers of threads are at most so far from 0. */
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
