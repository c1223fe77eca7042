package org.crabro.content.node;

import java.time.Duration;
import org.crabro.content.storage.block.ValueBudget.NoRoomException;
import org.crabro.protocol.feed.ReadHold;

/**
 * Limits the heap memory of the values of documents that are read one by one. It counts from before
 * they are decoded until the reader releases them. A document that exceeds the limit is admitted
 * while no other is held.
 *
 * <p>A reader that holds memory never waits for more, so that readers do not wait for each other.
 */
final class HeldValues {
    /** Documents of at most this size are not counted. */
    static final long SMALL = 256 << 10;

    private final long most;
    private long held;

    /**
     * @param most the limit in heap bytes
     */
    HeldValues(long most) {
        this.most = most;
    }

    /**
     * Reserves memory for values until {@code hold} is closed.
     *
     * @throws NoRoomException if the memory is not available now
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
        hold.add(() -> release(bytes));
        synchronized (this) {
            // A reader that waits with the same hold must stop waiting.
            notifyAll();
        }
    }

    private boolean hasRoom(long bytes) {
        return held == 0 || bytes <= most - held;
    }

    private synchronized void release(long bytes) {
        held -= bytes;
        notifyAll();
    }

    /**
     * Waits at most {@code patience} until there is room; returns whether there was.
     *
     * @param hold if it already holds memory, this returns at once
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
