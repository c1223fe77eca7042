package org.crabro.content;

import java.time.Duration;
import org.crabro.content.block.ValueBudget.NoRoomException;
import org.crabro.protocol.feed.ReadHold;

/**
 * Bounds what the values of documents take of the heap that are read one by one, from before they
 * are made until who reads them lets go. A document that takes more than the bound has room while
 * no other is held.
 *
 * <p>Who holds something never waits for more, so that nobody waits for one who waits too.
 */
final class HeldValues {
    /** Documents that take no more are not counted. */
    static final long SMALL = 256 << 10;

    private final long most;
    private long held;

    /**
     * @param most bytes of the heap
     */
    HeldValues(long most) {
        this.most = most;
    }

    /**
     * Counts values in until {@code hold} is closed.
     *
     * @throws NoRoomException if there is no room for them now
     */
    void take(long bytes, ReadHold hold) {
        if (bytes <= SMALL) {
            return;
        }
        synchronized (this) {
            if (!hasRoom(bytes)) {
                throw new NoRoomException(bytes);
            }
            held += bytes;
        }
        hold.add(() -> letGo(bytes));
        synchronized (this) {
            // Who waits with the same hold waits no longer.
            notifyAll();
        }
    }

    private boolean hasRoom(long bytes) {
        return held == 0 || bytes <= most - held;
    }

    private synchronized void letGo(long bytes) {
        held -= bytes;
        notifyAll();
    }

    /**
     * Waits until there is room, at most {@code patience}; returns whether there was.
     *
     * @param hold not waited for: where it holds something there is no use in waiting
     */
    synchronized boolean await(long bytes, ReadHold hold, Duration patience)
            throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (!hasRoom(bytes)) {
            long millis = (end - System.nanoTime() + 999_999) / 1_000_000;
            if (millis <= 0 || hold.isHolding()) {
                return false;
            }
            wait(millis);
        }
        return true;
    }
}
