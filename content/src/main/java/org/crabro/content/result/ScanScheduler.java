package org.crabro.content.result;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.crabro.protocol.wire.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Lets searches run, a bounded number at a time, by the {@link FairQueue} of those that wait. A
 * search that runs lets others go first between two slices, and inside long rows, once it has run
 * for a {@linkplain ScanLimits#quantum quantum} while others wait. Where none waits, this costs two
 * changes of a counter for each search and a read for each slice.
 */
final class ScanScheduler {
    /** How often a search that waits looks whether its client has left. */
    private static final long CANCELLATION_NANOS = 100_000_000;

    private final ScanLimits limits;
    private final int mostRunning;
    private final LongSupplier nanoTime;
    private final AtomicInteger running = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private final LongAdder suspensions = new LongAdder();
    private final ReentrantLock lock = new ReentrantLock();

    /** Written under the lock. */
    private volatile int waiting;

    /** Guarded by the lock. */
    private final FairQueue order;

    /** Of the searches that wait; guarded by the lock. */
    private final Map<FairQueue.Entry, Turn> turns = new HashMap<>();

    /**
     * @param threads that scan
     */
    ScanScheduler(ScanLimits limits, int threads, LongSupplier nanoTime) {
        this.limits = limits;
        this.mostRunning = limits.running(threads);
        this.nanoTime = nanoTime;
        this.order = new FairQueue(limits);
    }

    /** What becomes of a search that wants to begin. */
    sealed interface Start {
        /** There was no turn in time. */
        record TooLate() implements Start {}

        /** It may not wait, for this reason. */
        record Refused(String reason) implements Start {}
    }

    /** Returns how many searches wait. */
    int waiting() {
        return waiting;
    }

    /** Returns how many searches run. */
    int running() {
        return running.get();
    }

    /** Returns how many searches have been refused. */
    long refused() {
        return refused.sum();
    }

    /** Returns how often a search has let others go first. */
    long suspensions() {
        return suspensions.sum();
    }

    /**
     * Returns when the search may run, or why it may not.
     *
     * @param client that sends it
     * @param deadline up to which it waits
     * @return to be {@linkplain Turn#end ended} where it is a turn
     */
    Start begin(String client, Deadline deadline) {
        var turn = new Turn(client, deadline);
        if (waiting == 0 && tryRun()) {
            turn.isRunning = true;
            return turn;
        }
        lock.lock();
        try {
            String refusal = order.refusal(client);
            if (refusal != null) {
                refused.increment();
                return new Start.Refused("overload: " + refusal);
            }
            order.add(turn.entry());
            turns.put(turn.entry(), turn);
            passOn();
        } finally {
            lock.unlock();
        }
        turn.await();
        return turn.isRunning ? turn : new Start.TooLate();
    }

    private boolean tryRun() {
        int now = running.get();
        while (now < mostRunning) {
            int found = running.compareAndExchange(now, now + 1);
            if (found == now) {
                return true;
            }
            now = found;
        }
        return false;
    }

    /** Lets those run that can. The lock is held. */
    private void passOn() {
        // Written before the counter is read: a search that ends looks at them the other way round.
        waiting = order.waiting();
        while (order.waiting() > 0 && tryRun()) {
            FairQueue.Entry next = order.next();
            if (next == null) {
                running.decrementAndGet();
                break;
            }
            Objects.requireNonNull(turns.remove(next)).run();
        }
        waiting = order.waiting();
    }

    /** The turn of one search, which one thread leads. */
    final class Turn implements Start {
        private final String client;
        private final Deadline deadline;
        private FairQueue.@Nullable Entry entry;
        private volatile Thread leader = Thread.currentThread();

        /** Whether it is counted among those that run. */
        private volatile boolean isRunning;

        /** Whether the order has chosen it, and counts it as running. */
        private boolean isChosen;

        /** Since when it has run while others wait; 0 where none has waited. */
        private long sinceNanos;

        private Turn(String client, Deadline deadline) {
            this.client = client;
            this.deadline = deadline;
        }

        private FairQueue.Entry entry() {
            FairQueue.Entry made = entry;
            if (made == null) {
                made = new FairQueue.Entry(client);
                entry = made;
            }
            return made;
        }

        /** Says that the calling thread leads the search from here on. */
        void lead() {
            leader = Thread.currentThread();
        }

        /** Returns whether the calling thread leads the search. */
        @SuppressWarnings("ReferenceEquality") // A thread is equal to itself alone.
        boolean isLed() {
            return leader == Thread.currentThread();
        }

        /** Returns whether others wait. */
        boolean isContended() {
            return waiting > 0;
        }

        /** Lets others run first where they have waited long enough. For who leads. */
        void step() {
            if (waiting > 0 && isLed()) {
                long now = nanoTime.getAsLong();
                if (sinceNanos == 0) {
                    sinceNanos = now | 1;
                } else if (now - sinceNanos >= limits.quantum().toNanos()) {
                    suspend(now);
                    await();
                }
            }
        }

        private void suspend(long now) {
            if (deadline.hasPassed()) {
                return;
            }
            suspensions.increment();
            lock.lock();
            try {
                order.suspend(entry(), now - sinceNanos, isChosen);
                turns.put(entry(), this);
                isChosen = false;
                sinceNanos = 0;
                if (isRunning) {
                    isRunning = false;
                    running.decrementAndGet();
                }
                passOn();
            } finally {
                lock.unlock();
            }
        }

        /** Called with the lock held. */
        private void run() {
            isChosen = true;
            sinceNanos = nanoTime.getAsLong() | 1;
            isRunning = true;
            LockSupport.unpark(leader);
        }

        /** Says that the search waits for the disk, so that another one may run meanwhile. */
        void pause() {
            if (isRunning) {
                isRunning = false;
                release();
            }
        }

        /** Says that the search goes on after a pause; it is counted again if there is room. */
        void resume() {
            isRunning = tryRun();
        }

        private void release() {
            running.decrementAndGet();
            if (waiting > 0) {
                lock.lock();
                try {
                    passOn();
                } finally {
                    lock.unlock();
                }
            }
        }

        /** Says that the search is over. */
        void end() {
            if (isChosen) {
                isChosen = false;
                lock.lock();
                try {
                    order.end(entry(), nanoTime.getAsLong() - sinceNanos);
                } finally {
                    lock.unlock();
                }
            }
            pause();
        }

        /** Waits until it runs, or until the deadline: then it is not counted. */
        private void await() {
            if (isRunning) {
                return;
            }
            try {
                ForkJoinPool.managedBlock(new Wait(this));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            lock.lock();
            try {
                if (!isRunning && order.remove(entry())) {
                    turns.remove(entry());
                    waiting = order.waiting();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** The thread's pool gets another thread while it waits. */
    private static final class Wait implements ForkJoinPool.ManagedBlocker {
        private final Turn turn;

        Wait(Turn turn) {
            this.turn = turn;
        }

        @Override
        public boolean block() throws InterruptedException {
            while (!isReleasable()) {
                LockSupport.parkNanos(
                        turn, Math.min(CANCELLATION_NANOS, turn.deadline.remaining().toNanos()));
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return true;
        }

        @Override
        public boolean isReleasable() {
            return turn.isRunning || turn.deadline.hasPassed();
        }
    }
}
