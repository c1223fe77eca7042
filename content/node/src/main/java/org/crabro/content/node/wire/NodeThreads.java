package org.crabro.content.node.wire;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.protocol.transport.NodeMethod;

/**
 * The threads that execute requests, and the bound for the number of requests in progress.
 *
 * <p>The node executes a small search on the platform thread that calls it, see {@code
 * ContentService}. So searches get platform threads while some are free. Further searches and all
 * other requests get virtual threads, on which they wait for the threads of the node.
 */
final class NodeThreads implements AutoCloseable {
    private static final long IDLE_SECONDS = 60;

    private final AtomicInteger inProgress = new AtomicInteger();
    private final int max;
    private final ThreadPoolExecutor searches;
    private final ExecutorService others;

    /**
     * @param max the number of requests in progress
     * @param searchThreads the number of platform threads
     */
    NodeThreads(int max, int searchThreads) {
        this.max = max;
        this.searches =
                new ThreadPoolExecutor(
                        0,
                        searchThreads,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        Thread.ofPlatform().daemon().name("wire-search-", 0).factory());
        this.others =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("wire-request-", 0).factory());
    }

    /** Counts a request in progress, unless there are too many; returns whether it may run. */
    boolean tryBegin() {
        if (inProgress.incrementAndGet() <= max) {
            return true;
        }
        inProgress.decrementAndGet();
        return false;
    }

    /** Ends a request that has begun. */
    void end() {
        inProgress.decrementAndGet();
    }

    /** Returns the number of requests in progress. */
    int inProgress() {
        return inProgress.get();
    }

    /** Runs a request that has begun, without waiting for it. */
    void run(NodeMethod method, Runnable request) {
        if (method == NodeMethod.SEARCH) {
            try {
                searches.execute(request);
                return;
            } catch (RejectedExecutionException _) {
                // No platform thread is free.
            }
        }
        others.execute(request);
    }

    /** Waits for the requests in progress. */
    @Override
    public void close() {
        searches.close();
        others.close();
    }
}
