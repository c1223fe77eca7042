package org.crabro.content.search.execution;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ScanStoppedException;
import org.crabro.document.memory.MemoryShare;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A team of threads that works on the slices of a query. Each thread takes the next free slice.
 *
 * <p>The thread that calls {@link #run} leads the team: it works too, and in the end waits only for
 * helpers that have begun. A helper that the pool starts later does nothing. So threads of one pool
 * can lead and help each other without a deadlock.
 *
 * @param <W> the worker of a thread
 */
final class SliceTeam<W extends SliceTeam.Worker> {
    /** The work of one thread on slices, and its results. */
    interface Worker {
        void work(int slice);
    }

    /** Decides about each slice before and after the work on it. */
    interface Guard {
        /** Accepts every slice. */
        Guard NONE =
                new Guard() {
                    @Override
                    public boolean isWanted(int slice) {
                        return true;
                    }

                    @Override
                    public void take(int slice) {}

                    @Override
                    public void finish(int slice) {}

                    @Override
                    public boolean setAside(int slice, boolean isBegun, Throwable unreadable) {
                        return false;
                    }
                };

        /** Returns whether helpers should continue. */
        default boolean isHelpWanted() {
            return true;
        }

        /** Returns whether the slice is worked on at all. */
        boolean isWanted(int slice);

        /** Waits until the slice is in memory. */
        void take(int slice);

        /** Ends the work on a slice. */
        void finish(int slice);

        /**
         * Returns whether the team continues without a slice that could not be read.
         *
         * @param isBegun whether a thread had begun to work on the slice
         */
        boolean setAside(int slice, boolean isBegun, Throwable unreadable);
    }

    private static final Logger LOG = LoggerFactory.getLogger(SliceTeam.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /**
     * The estimated time of the remaining work from which on the leader asks for help. A sleeping
     * thread starts after about 0.1 ms, and waking it takes about 0.05 ms of processor time. A
     * limit of 0.3 ms made no query faster.
     */
    static final long HELP_NANOS = 500_000;

    /**
     * The least time of the first portions from which the leader estimates the others. A single
     * portion may be the only one with matches.
     */
    static final long TELLING_NANOS = 50_000;

    /**
     * How long the leader spins for the last helpers before it sleeps: about the time of scanning
     * one block. To sleep and wake up takes longer.
     */
    private static final long LOOK_NANOS = 30_000;

    private final int[] portions;
    private final Supplier<W> newWorker;
    private final BooleanSupplier isOver;
    private final Guard guard;
    private final AtomicInteger next = new AtomicInteger();

    /** The memory of the search, which helpers charge, too. */
    private final MemoryShare memory = MemoryShare.current();

    private final List<W> workers = new ArrayList<>();
    private volatile boolean stopped;
    // Written under this.
    private volatile int active;
    // Guarded by this, as are the workers.
    private boolean closed;
    private long cpuNanos;
    private @Nullable RuntimeException failure;
    private @Nullable Error error;

    /**
     * @param newWorker called by each thread for itself
     * @param isOver asked before each slice; when it returns true, no thread takes another slice. A
     *     worker may ask it inside a slice and throw a {@link ScanStoppedException}
     */
    SliceTeam(int sliceCount, Supplier<W> newWorker, BooleanSupplier isOver) {
        this(IntStream.rangeClosed(0, sliceCount).toArray(), newWorker, isOver, Guard.NONE);
    }

    /**
     * @param portions the slices that a thread takes at a time: portion {@code i} is the slices
     *     from {@code portions[i]} to before {@code portions[i + 1]}
     * @param newWorker called by each thread for itself
     * @param isOver asked before each slice; when it returns true, no thread takes another slice
     */
    SliceTeam(int[] portions, Supplier<W> newWorker, BooleanSupplier isOver, Guard guard) {
        this.portions = portions;
        this.newWorker = newWorker;
        this.isOver = isOver;
        this.guard = guard;
    }

    /**
     * Works on all slices and returns when no thread works any more.
     *
     * @param helpers how many threads of {@code pool} help, if the first portions show that the
     *     others take long enough
     * @param nanoTime the clock for that
     * @param spentNanos the processor time of the calling thread: helpers do not make a query
     *     faster that waits for its processor or for the disk
     */
    void run(Executor pool, int helpers, LongSupplier nanoTime, LongSupplier spentNanos) {
        join();
        if (helpers == 0) {
            work(Integer.MAX_VALUE);
        } else {
            workUntilHelped(pool, helpers, nanoTime, spentNanos);
        }
        end();
        lookForHelpers(nanoTime);
        awaitHelpers();
    }

    /** Works alone until the estimated time of the other portions is long enough for help. */
    private void workUntilHelped(
            Executor pool, int helpers, LongSupplier nanoTime, LongSupplier spentNanos) {
        long start = nanoTime.getAsLong();
        W worker = work(1);
        if (worker == null) {
            return;
        }
        for (int done = 1; !stopped && next.get() < portions.length - 1; done++) {
            long nanos = nanoTime.getAsLong() - start;
            double left = (portions.length - 1.0 - done) / done;
            if (nanos >= TELLING_NANOS
                    && nanos * left >= HELP_NANOS
                    && spentNanos.getAsLong() * left >= HELP_NANOS) {
                ask(pool, helpers);
                work(worker, Integer.MAX_VALUE);
                return;
            }
            work(worker, 1);
        }
    }

    /** Ends the work of the leader. No helper may begin after it. */
    private synchronized void end() {
        active--;
        closed = true;
    }

    private void lookForHelpers(LongSupplier nanoTime) {
        if (active > 0) {
            long start = nanoTime.getAsLong();
            while (active > 0 && nanoTime.getAsLong() - start < LOOK_NANOS) {
                Thread.onSpinWait();
            }
        }
    }

    private void ask(Executor pool, int helpers) {
        try {
            for (int i = 0; i < helpers; i++) {
                pool.execute(this::help);
            }
        } catch (RejectedExecutionException e) {
            // The node stops and takes no new work: the leader ends its work without help.
            LOG.debug("no help for a query", e);
        }
    }

    /** Returns the workers of all threads. */
    synchronized List<W> workers() {
        return List.copyOf(workers);
    }

    /** Returns whether time ended before all slices were done. */
    boolean isStopped() {
        return stopped;
    }

    /** Returns the processor time of helpers. The leader measures its own. */
    synchronized long cpuNanos() {
        return cpuNanos;
    }

    private void help() {
        memory.run(this::helpCharged);
    }

    private void helpCharged() {
        if (join()) {
            long start = THREADS.getCurrentThreadCpuTime();
            W worker = work(0);
            while (worker != null
                    && !stopped
                    && next.get() < portions.length - 1
                    && guard.isHelpWanted()) {
                work(worker, 1);
            }
            spend(THREADS.getCurrentThreadCpuTime() - start);
            finishSlice();
        }
    }

    private synchronized boolean join() {
        if (closed) {
            return false;
        }
        active++;
        return true;
    }

    private synchronized void finishSlice() {
        active--;
        notifyAll();
    }

    /**
     * Works on portions.
     *
     * @param most the most portions to work on
     * @return the worker; null if making it failed
     */
    private @Nullable W work(int most) {
        try {
            W worker = newWorker.get();
            add(worker);
            work(worker, most);
            return worker;
        } catch (ScanStoppedException e) {
            stopped = true;
        } catch (RuntimeException e) {
            fail(e);
        } catch (Error e) {
            fail(e);
        }
        return null;
    }

    /* A failure of a helper is thrown by the leader: no code waits for the helper. */
    private void work(W worker, int most) {
        try {
            for (int i = 0; i < most && !stopped; i++) {
                int portion = next.getAndIncrement();
                if (portion >= portions.length - 1) {
                    return;
                }
                work(worker, portions[portion], portions[portion + 1]);
            }
        } catch (ScanStoppedException e) {
            stopped = true;
        } catch (RuntimeException e) {
            fail(e);
        } catch (Error e) {
            fail(e);
        }
    }

    private void work(W worker, int from, int to) {
        for (int slice = from; slice < to; slice++) {
            if (stopped || isOver.getAsBoolean()) {
                stopped = true;
                return;
            }
            if (guard.isWanted(slice)) {
                boolean isBegun = false;
                try {
                    guard.take(slice);
                    isBegun = true;
                    worker.work(slice);
                    guard.finish(slice);
                } catch (CorruptRunException | InternalError e) {
                    // The platform reports a read error of a mapped file as an InternalError.
                    if (!guard.setAside(slice, isBegun, e)) {
                        throw e;
                    }
                }
            }
        }
    }

    private synchronized void add(W worker) {
        workers.add(worker);
    }

    private synchronized void spend(long nanos) {
        cpuNanos += nanos;
    }

    private synchronized void fail(RuntimeException e) {
        failure = e;
        stopped = true;
    }

    private synchronized void fail(Error e) {
        error = e;
        stopped = true;
    }

    private synchronized void awaitHelpers() {
        boolean interrupted = false;
        while (active > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                // Mappings must stay until no helper reads them.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (error != null) {
            throw error;
        }
        if (failure != null) {
            throw failure;
        }
    }
}
