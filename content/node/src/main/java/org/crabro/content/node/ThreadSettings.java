package org.crabro.content.node;

/**
 * The threads of a node.
 *
 * @param readThreads threads that read single documents from runs
 * @param waitingReads the number of reads that wait for these threads; more wait until their
 *     deadline
 * @param scanThreads threads that scan
 * @param threadsPerQuery the maximum number of scan threads of one query
 */
public record ThreadSettings(
        int readThreads, int waitingReads, int scanThreads, int threadsPerQuery) {
    private static final int READ_THREADS = 8;
    private static final int WAITING_READS = 4_096;
    private static final int THREADS_PER_QUERY = 8;

    public ThreadSettings {
        if (readThreads < 1 || waitingReads < 1 || scanThreads < 1 || threadsPerQuery < 1) {
            throw new IllegalArgumentException(
                    "threads are %d, %d, %d, and %d reads wait; each must be at least 1"
                            .formatted(readThreads, scanThreads, threadsPerQuery, waitingReads));
        }
    }

    /** Returns the defaults for this machine: one scan thread per processor. */
    static ThreadSettings ofThisMachine() {
        return new ThreadSettings(
                READ_THREADS,
                WAITING_READS,
                Runtime.getRuntime().availableProcessors(),
                THREADS_PER_QUERY);
    }
}
