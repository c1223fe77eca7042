package org.crabro.content.run;

import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.crabro.protocol.wire.Deadline;

/**
 * Turns of queries that read much from the device. Few at a time keep it busy: if all read side by
 * side, each would be as slow as the last of them, small ones would stand behind the large ones,
 * and memory would hold what all have read and none has looked at yet.
 *
 * <p>What a query reads at first needs no turn, so small ones never wait. Turns are given in the
 * order in which they are asked for, and are for so many bytes: then it is the next one's turn, and
 * who has more to read stands behind all others again.
 */
final class ReadTurns {
    /** What a query reads without a turn. */
    static final long FREE_BYTES = ReadAhead.BYTES_AHEAD;

    /** What it reads in one turn while others wait: large reads, but few of them in a second. */
    static final long TURN_BYTES = 64 << 20;

    /** Nobody waits longer at a time: then it reads {@link #FREE_BYTES} more all the same. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final Semaphore turns;
    private final long longestWaitNanos;

    /**
     * @param count how many queries read much at a time
     * @param longestWait {@link #LONGEST_WAIT} but for tests
     */
    ReadTurns(int count, Duration longestWait) {
        this.turns = new Semaphore(count, true);
        this.longestWaitNanos = longestWait.toNanos();
    }

    /**
     * Returns what one query has.
     *
     * @param deadline up to when there is any use in waiting
     */
    Turn newTurn(Deadline deadline) {
        return new Turn(deadline);
    }

    /** What a query may read yet, and whether it is its turn. Safe for use by its threads. */
    final class Turn {
        private final Deadline deadline;
        // Guarded by this.
        private long left = FREE_BYTES;
        private boolean isLarge;
        private boolean isHeld;
        private boolean isEnded;

        private Turn(Deadline deadline) {
            this.deadline = deadline;
        }

        /** Says that so many bytes are going to be read. */
        synchronized void spend(long bytes) {
            left -= bytes;
            isLarge |= left < 0;
        }

        /** Returns whether so much was read that turns were needed. */
        synchronized boolean isLarge() {
            return isLarge;
        }

        /** Returns whether anything may be read without waiting; takes a turn if there is one. */
        synchronized boolean mayRead() {
            if (left > 0) {
                return true;
            }
            if (isHeld && turns.hasQueuedThreads()) {
                isHeld = false;
                turns.release();
            }
            if (!isHeld && !isEnded) {
                isHeld = !turns.hasQueuedThreads() && turns.tryAcquire();
            }
            left = isHeld ? TURN_BYTES : left;
            return isHeld;
        }

        /** Returns when something may be read. */
        void await() {
            if (mayRead()) {
                return;
            }
            try {
                ForkJoinPool.managedBlock(new Wait(this));
            } catch (InterruptedException _) {
                // What is under way is ended all the same, without waiting for others.
                Thread.currentThread().interrupt();
                take(false);
            }
        }

        private synchronized void take(boolean isGiven) {
            if (isGiven && (isHeld || isEnded)) {
                // Another thread of the query was given one too.
                turns.release();
            } else if (isGiven) {
                isHeld = true;
            }
            left = Math.max(left, isHeld ? TURN_BYTES : FREE_BYTES);
        }

        /** Lets others have the turn. */
        synchronized void end() {
            isEnded = true;
            if (isHeld) {
                isHeld = false;
                turns.release();
            }
        }
    }

    /** The thread's pool gets another thread while it waits. */
    private final class Wait implements ForkJoinPool.ManagedBlocker {
        private final Turn turn;
        private boolean done;

        Wait(Turn turn) {
            this.turn = turn;
        }

        @Override
        public boolean block() throws InterruptedException {
            long nanos = Math.min(longestWaitNanos, turn.deadline.remaining().toNanos());
            boolean isGiven = turns.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            turn.take(isGiven);
            done = true;
            return true;
        }

        @Override
        public boolean isReleasable() {
            return done;
        }
    }
}
