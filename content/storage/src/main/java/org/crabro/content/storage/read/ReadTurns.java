package org.crabro.content.storage.read;

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
 * Turns for queries that read much from the device. Few of them at a time keep it busy. If all read
 * at the same time, each would be as slow as the last of them, small queries would wait for large
 * ones, and memory would hold bytes that were read and not yet scanned.
 *
 * <p>The first bytes of a query need no turn, so small queries never wait. Turns belong to queries,
 * not to their threads. The query with the fewest remaining bytes is first, and each second of
 * waiting subtracts {@link #AGEING} bytes. A turn is limited to {@link #TURN_BYTES} bytes; after
 * that, the query queues up again.
 */
final class ReadTurns {
    /** The bytes that a query reads without a turn. */
    static final long FREE_BYTES = 8 << 20;

    /**
     * The bytes of one turn while others wait. The value is so large that hardly any query needs a
     * second turn, for which it would wait for all queries with little left to read.
     */
    static final long TURN_BYTES = 256 << 20;

    /**
     * The bytes that a second of waiting compensates: a few percent of the rate of fast disks. A
     * higher value makes the waits more equal; a lower value makes the longest wait longer.
     */
    private static final long AGEING = 200_000_000;

    /** The longest wait at a time: then the query reads {@link #FREE_BYTES} more without a turn. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    /**
     * A query waits at most this part of its remaining time (one half): the rest is for reading.
     */
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
     * @param count the number of queries that read much at a time
     * @param longestWait {@link #LONGEST_WAIT} except in tests
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
     * Returns the state of one query.
     *
     * @param deadline the end of useful waiting
     */
    Turn newTurn(Deadline deadline) {
        return new Turn(deadline);
    }

    /** Assigns free turns to waiting queries. Called with the lock held. */
    private void passOn() {
        while (free > 0 && !waiting.isEmpty()) {
            free--;
            waiting.remove().begin();
        }
    }

    /** The bytes that a query may still read, and whether it has a turn. Thread-safe. */
    final class Turn {
        private final Deadline deadline;
        private final AtomicLong left = new AtomicLong(FREE_BYTES);
        private volatile boolean isLarge;
        // Guarded by the lock.
        private final Condition mayGoOn = lock.newCondition();
        private int waiters;
        private boolean isInLine;
        // The lowest is first.
        private long place;
        private boolean isHeld;
        private boolean isEnded;

        private Turn(Deadline deadline) {
            this.deadline = deadline;
        }

        /** Subtracts bytes that will be read. */
        void spend(long bytes) {
            if (left.addAndGet(-bytes) < 0) {
                isLarge = true;
            }
        }

        /** Returns whether the query read so much that it needed turns. */
        boolean isLarge() {
            return isLarge;
        }

        /** Returns whether the query may read without waiting; takes a turn if one is free. */
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
         * Waits until the query may read.
         *
         * @param remaining returns the approximate number of bytes that the query still has to read
         */
        void await(LongSupplier remaining) {
            if (mayRead()) {
                return;
            }
            try {
                ForkJoinPool.managedBlock(new Wait(this, remaining.getAsLong()));
            } catch (InterruptedException _) {
                // The query finishes without waiting for others.
                Thread.currentThread().interrupt();
                goOn();
            }
        }

        /** All threads of a query share one place in the queue. */
        private void awaitTurn(long remaining, long nanos) throws InterruptedException {
            lock.lock();
            waiters++;
            try {
                long left = nanos;
                while (!isEnded && !isGiven() && left > 0) {
                    standInLine(remaining);
                    left = mayGoOn.awaitNanos(left);
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
                // Ageing: a query that arrives later is ordered as if it had more bytes left to
                // read.
                double seconds = (nanoTime.getAsLong() - startNanos) / 1e9;
                place = remaining + (long) (AGEING * seconds);
                waiting.add(this);
            }
        }

        /** Lets the query read a little more, with or without a turn. */
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

        /** Ends the turn of the query. */
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

    /** While a thread waits, its pool starts another thread. */
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
