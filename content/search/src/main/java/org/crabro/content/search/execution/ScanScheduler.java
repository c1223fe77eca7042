package org.crabro.content.search.execution;

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
 * Limits how many searches run at a time. The {@link FairQueue} decides which of the waiting
 * searches runs next.
 *
 * <p>A search that has run for a {@linkplain ScanLimits#quantum quantum} while others wait is
 * suspended, between two slices or inside a long row. If no search waits, the cost is two changes
 * of a counter per search and one read per slice.
 */
final class ScanScheduler {
    /** How often a waiting search checks whether its client has cancelled it. */
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

    /** The turns of waiting searches; guarded by the lock. */
    private final Map<FairQueue.Entry, Turn> turns = new HashMap<>();

    /**
     * @param threads the number of scan threads
     */
    ScanScheduler(ScanLimits limits, int threads, LongSupplier nanoTime) {
        this.limits = limits;
        this.mostRunning = limits.running(threads);
        this.nanoTime = nanoTime;
        this.order = new FairQueue(limits);
    }

    /** The reply to a search that starts: a {@link Turn}, or the reason for a rejection. */
    sealed interface Start {
        /** The deadline passed before the search could run. */
        record TooLate() implements Start {}

        /** Too many searches wait already. */
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

    /** Returns how often a search was suspended. */
    long suspensions() {
        return suspensions.sum();
    }

    /**
     * Waits until the search may run, or until its deadline.
     *
     * @param client the client that sent the search
     * @return a turn, which the caller must {@linkplain Turn#end end}, or why there is none
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
            int actual = running.compareAndExchange(now, now + 1);
            if (actual == now) {
                return true;
            }
            now = actual;
        }
        return false;
    }

    /** Starts the next waiting searches, as far as limits allow. The caller holds the lock. */
    private void passOn() {
        // Written before the counter is read: a search that ends reads them in the other order.
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

    /** The right of one search to run. One thread leads the search. */
    final class Turn implements Start {
        private final String client;
        private final Deadline deadline;
        private FairQueue.@Nullable Entry entry;
        private volatile Thread leader = Thread.currentThread();

        /** Whether the search counts as running. */
        private volatile boolean isRunning;

        /** Whether the queue chose the search and counts it as running. */
        private boolean isChosen;

        /** The time since which the search has run while others wait; 0 if no search waits. */
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

        /** Makes the calling thread the leader of the search. */
        void lead() {
            leader = Thread.currentThread();
        }

        /** Returns whether the calling thread leads the search. */
        @SuppressWarnings("ReferenceEquality") // Threads are compared by identity.
        boolean isLed() {
            return leader == Thread.currentThread();
        }

        /** Returns whether other searches wait. */
        boolean isContended() {
            return waiting > 0;
        }

        /**
         * Lets other searches run first if this one has used its quantum. Only the leader waits.
         */
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

        /** The caller holds the lock. */
        private void run() {
            isChosen = true;
            sinceNanos = nanoTime.getAsLong() | 1;
            isRunning = true;
            LockSupport.unpark(leader);
        }

        /** Lets another search run while this one waits for the disk. */
        void pause() {
            if (isRunning) {
                isRunning = false;
                release();
            }
        }

        /** Ends a pause. The search counts as running again if the limit allows it. */
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

        /** Ends the search. */
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

        /** Waits until the search runs, or until its deadline. */
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

    /** Lets a pool replace the thread while it waits. */
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
