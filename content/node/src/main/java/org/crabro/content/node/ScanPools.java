package org.crabro.content.node;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import org.crabro.content.search.execution.ScanLimits;
import org.crabro.content.storage.read.ReadAhead;

/**
 * The threads of searches and visits.
 *
 * @param readAhead threads that read files ahead of scans
 * @param scans threads that scan for searches
 * @param visits threads that scan for visits
 */
record ScanPools(ExecutorService readAhead, ExecutorService scans, ExecutorService visits)
        implements AutoCloseable {
    /** The most threads that wait for the disk, in addition to scan threads. */
    private static final int WAITING_SCANS = 128;

    private static final long SPARE_THREAD_SECONDS = 10;

    /** Starts the threads. */
    static ScanPools of(ThreadSettings threads, ScanLimits limits) {
        return new ScanPools(
                Executors.newFixedThreadPool(
                        ReadAhead.threads(threads.scanThreads()),
                        Thread.ofPlatform().name("disk-", 0).factory()),
                scanThreads("scan-", limits.running(threads.scanThreads())),
                scanThreads("visit-", threads.scanThreads()));
    }

    /**
     * Returns a pool of scan threads. {@code count} of them run at a time; up to {@link
     * #WAITING_SCANS} others wait for the disk.
     */
    private static ExecutorService scanThreads(String name, int count) {
        return new ForkJoinPool(
                count,
                pool -> {
                    ForkJoinWorkerThread thread =
                            ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
                    thread.setName(name + thread.getPoolIndex());
                    return thread;
                },
                null,
                true,
                count,
                count + WAITING_SCANS,
                count,
                // Without a spare thread, a thread that waits for the disk leaves a processor idle.
                _ -> true,
                SPARE_THREAD_SECONDS,
                TimeUnit.SECONDS);
    }

    /** Waits for the work that was submitted, and ends the threads. */
    @Override
    public void close() {
        visits.close();
        scans.close();
        readAhead.close();
    }
}
