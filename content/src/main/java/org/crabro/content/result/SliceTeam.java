package org.crabro.content.result;

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
import org.crabro.content.file.CorruptRunException;
import org.crabro.content.match.ScanStoppedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that go through the slices of a query together, each taking the next one that nobody has.
 *
 * <p>The thread that calls {@link #run} works itself and waits in the end only for those that have
 * begun: helpers that the pool did not come to are sent home when they come. So threads of one pool
 * can lead and help each other without ever waiting for one another in a circle.
 *
 * @param <W> what a thread works with
 */
final class SliceTeam<W extends SliceTeam.Worker> {
    /** What one thread does with slices, and what it keeps of them. */
    interface Worker {
        void work(int slice);
    }

    /** What is asked around each slice. */
    interface Guard {
        /** Lets everything through. */
        Guard NONE =
                new Guard() {
                    @Override
                    public boolean isWanted(int slice) {
                        return true;
                    }

                    @Override
                    public void take(int slice) {}

                    @Override
                    public void leave(int slice) {}

                    @Override
                    public boolean setAside(int slice, boolean isBegun, Throwable unreadable) {
                        return false;
                    }
                };

        /** Returns whether others than who leads go on to help. */
        default boolean isHelpWanted() {
            return true;
        }

        /** Returns whether the slice is worked on at all. */
        boolean isWanted(int slice);

        /** Returns when the slice can be worked on without waiting for the disk. */
        void take(int slice);

        /** Called when the slice was worked on. */
        void leave(int slice);

        /**
         * Returns whether the team goes on without the slice, which could not be read.
         *
         * @param isBegun whether it was taken already, and worked on
         */
        boolean setAside(int slice, boolean isBegun, Throwable unreadable);
    }

    private static final Logger LOG = LoggerFactory.getLogger(SliceTeam.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /**
     * What the work on all other portions takes, about, from which on others are asked to help: a
     * thread that sleeps comes after about 0.1 ms, and waking it and putting it to sleep again
     * takes half as much of the processors. With 0.3 ms it made nothing faster.
     */
    static final long HELP_NANOS = 500_000;

    /**
     * After as much work the portions that were done tell how long the others take: a single one
     * may be the only one that has something in it.
     */
    static final long TELLING_NANOS = 50_000;

    /**
     * How long who leads looks whether helpers are done before it sleeps: about as long as a block
     * takes, and to sleep and be woken takes longer.
     */
    private static final long LOOK_NANOS = 30_000;

    private final int[] portions;
    private final Supplier<W> newWorker;
    private final BooleanSupplier isOver;
    private final Guard guard;
    private final AtomicInteger next = new AtomicInteger();
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
     *     worker that throws a {@link ScanStoppedException} has asked it inside a slice
     */
    SliceTeam(int sliceCount, Supplier<W> newWorker, BooleanSupplier isOver) {
        this(IntStream.rangeClosed(0, sliceCount).toArray(), newWorker, isOver, Guard.NONE);
    }

    /**
     * @param portions what threads take at a time: portion {@code i} is the slices from {@code
     *     portions[i]} to before {@code portions[i + 1]}
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
     * Works through all slices and returns when nobody works any more.
     *
     * @param helpers how many threads of {@code pool} are asked for help, once the portions that
     *     were done have told that the others take long enough for that
     * @param nanoTime what it is told by
     * @param spentNanos the processor time that the calling thread has spent on the query: where it
     *     had to wait for its processor, or for the disk, others would be of no help
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

    /** Works alone as long as what is left does not look as if it took long. */
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

    /** Who leads has nothing more to do, and nobody may begin to help. */
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
            // The node is being stopped and takes no new work: what has begun is done without help.
            LOG.debug("no help for a query", e);
        }
    }

    /** Returns what the threads worked with, each its own. */
    synchronized List<W> workers() {
        return List.copyOf(workers);
    }

    /** Returns whether time ran out before all slices were done. */
    boolean isStopped() {
        return stopped;
    }

    /** Returns the processor time of those that helped: who leads measures its own. */
    synchronized long cpuNanos() {
        return cpuNanos;
    }

    private void help() {
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
            leave();
        }
    }

    private synchronized boolean join() {
        if (closed) {
            return false;
        }
        active++;
        return true;
    }

    private synchronized void leave() {
        active--;
        notifyAll();
    }

    /**
     * Works through portions.
     *
     * @param most how many
     * @return what it worked with; nothing where something went wrong before
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

    /* Whatever goes wrong in a helper must reach who waits: the helper's own thread has no one. */
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
                    guard.leave(slice);
                } catch (CorruptRunException | InternalError e) {
                    // The platform tells a read error of a mapped file by an InternalError.
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
                // Mappings must not go away under those that still read.
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
