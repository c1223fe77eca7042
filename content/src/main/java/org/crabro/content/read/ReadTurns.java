package org.crabro.content.read;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.crabro.protocol.wire.Deadline;

/**
 * Turns of queries that read much from the device. Few at a time keep it busy: if all read side by
 * side, each would be as slow as the last of them, small ones would stand behind the large ones,
 * and memory would hold what all have read and none has looked at yet.
 *
 * <p>What a query reads at first needs no turn, so small ones never wait. Turns are given to
 * queries, not to their threads: first to who has the least left to read, but for each second that
 * a query waits, {@link #AGEING} bytes less count. They are for so many bytes: then it is the next
 * one's turn, and who has more to read stands in line again.
 */
final class ReadTurns {
    /** What a query reads without a turn. */
    static final long FREE_BYTES = 8 << 20;

    /**
     * What it reads in one turn while others wait: so much that hardly any query needs a second
     * one, for which it would stand behind all others with little left to do.
     */
    static final long TURN_BYTES = 256 << 20;

    /**
     * What a second of waiting makes up for, in bytes: a few percent of what fast disks read in it.
     * More brings everybody's wait nearer to that of the longest, less makes the longest longer.
     */
    private static final long AGEING = 200_000_000;

    /** Nobody waits longer at a time: then it reads {@link #FREE_BYTES} more all the same. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    /** The part of the time left that is waited for a turn at most: the rest is for reading. */
    private static final int WAITED_PART = 2;

    private final long longestWaitNanos;
    private final LongSupplier nanoTime;
    private final long startNanos;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final PriorityQueue<Turn> waiting =
            new PriorityQueue<>(Comparator.comparingLong(turn -> turn.place));
    private int free;

    /**
     * @param count how many queries read much at a time
     * @param longestWait {@link #LONGEST_WAIT} but for tests
     */
    ReadTurns(int count, Duration longestWait) {
        this(count, longestWait, System::nanoTime);
    }

    ReadTurns(int count, Duration longestWait, LongSupplier nanoTime) {
        this.free = count;
        this.longestWaitNanos = longestWait.toNanos();
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
    }

    /**
     * Returns what one query has.
     *
     * @param deadline up to when there is any use in waiting
     */
    Turn newTurn(Deadline deadline) {
        return new Turn(deadline);
    }

    /** Gives what nobody has to those who wait. The lock is held. */
    private void passOn() {
        while (free > 0 && !waiting.isEmpty()) {
            free--;
            waiting.remove().begin();
        }
    }

    /** What a query may read yet, and whether it is its turn. Safe for use by its threads. */
    final class Turn {
        private final Deadline deadline;
        private final AtomicLong left = new AtomicLong(FREE_BYTES);
        private volatile boolean isLarge;
        // Guarded by the lock.
        private final Condition mayGoOn = lock.newCondition();
        private int waiters;
        private boolean isInLine;
        // The lowest comes first.
        private long place;
        private boolean isHeld;
        private boolean isEnded;

        private Turn(Deadline deadline) {
            this.deadline = deadline;
        }

        /** Says that so many bytes are going to be read. */
        void spend(long bytes) {
            if (left.addAndGet(-bytes) < 0) {
                isLarge = true;
            }
        }

        /** Returns whether so much was read that turns were needed. */
        boolean isLarge() {
            return isLarge;
        }

        /** Returns whether anything may be read without waiting; takes a turn if there is one. */
        boolean mayRead() {
            if (left.get() > 0) {
                return true;
            }
            lock.lock();
            try {
                return isGiven();
            } finally {
                lock.unlock();
            }
        }

        private boolean isGiven() {
            if (left.get() > 0) {
                return true;
            }
            if (isHeld && !waiting.isEmpty()) {
                release();
            }
            if (!isHeld && !isEnded && free > 0) {
                free--;
                isHeld = true;
            }
            if (isHeld) {
                left.set(TURN_BYTES);
            }
            return isHeld;
        }

        private void begin() {
            isInLine = false;
            isHeld = true;
            left.set(TURN_BYTES);
            mayGoOn.signalAll();
        }

        private void release() {
            isHeld = false;
            free++;
            passOn();
        }

        /**
         * Returns when something may be read.
         *
         * @param remaining tells how many bytes the query has left to read, about
         */
        void await(LongSupplier remaining) {
            if (mayRead()) {
                return;
            }
            try {
                ForkJoinPool.managedBlock(new Wait(this, remaining.getAsLong()));
            } catch (InterruptedException _) {
                // What is under way is ended all the same, without waiting for others.
                Thread.currentThread().interrupt();
                goOn();
            }
        }

        /** All threads of a query stand in line as one. */
        private void awaitTurn(long remaining, long nanos) throws InterruptedException {
            lock.lock();
            waiters++;
            try {
                long rest = nanos;
                while (!isEnded && !isGiven() && rest > 0) {
                    standInLine(remaining);
                    rest = mayGoOn.awaitNanos(rest);
                }
            } finally {
                waiters--;
                if (waiters == 0 && isInLine) {
                    isInLine = false;
                    waiting.remove(this);
                }
                lock.unlock();
            }
            goOn();
        }

        private void standInLine(long remaining) {
            if (!isInLine) {
                isInLine = true;
                // Who comes later stands as if it had so much more to read.
                double seconds = (nanoTime.getAsLong() - startNanos) / 1e9;
                place = remaining + (long) (AGEING * seconds);
                waiting.add(this);
            }
        }

        /** Lets something be read, whether it is its turn or not. */
        private void goOn() {
            lock.lock();
            try {
                if (left.get() <= 0) {
                    left.set(FREE_BYTES);
                    mayGoOn.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }

        /** Lets others have the turn. */
        void end() {
            lock.lock();
            try {
                isEnded = true;
                if (isHeld) {
                    release();
                }
                mayGoOn.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** The thread's pool gets another thread while it waits. */
    private final class Wait implements ForkJoinPool.ManagedBlocker {
        private final Turn turn;
        private final long remaining;
        private boolean done;

        Wait(Turn turn, long remaining) {
            this.turn = turn;
            this.remaining = remaining;
        }

        @Override
        public boolean block() throws InterruptedException {
            turn.awaitTurn(
                    remaining,
                    Math.min(longestWaitNanos, turn.deadline.remaining().toNanos() / WAITED_PART));
            done = true;
            return true;
        }

        @Override
        public boolean isReleasable() {
            return done;
        }
    }
}
