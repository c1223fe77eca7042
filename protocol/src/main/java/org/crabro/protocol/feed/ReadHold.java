package org.crabro.protocol.feed;

import java.util.ArrayList;
import java.util.List;

/**
 * Holds the memory of documents that a node of the same process returns to a reader. The node
 * counts the memory of large values until the reader closes this. A node in another process does
 * not use it. Safe for use by many threads.
 *
 * {@snippet :
 * try (var hold = new ReadHold()) {
 *     show(node.get(request, hold));
 * }
 * }
 */
public final class ReadHold implements AutoCloseable {
    private final List<Runnable> held = new ArrayList<>();
    private boolean isClosed;

    /** Adds an action that runs when this is closed, or immediately if it is closed already. */
    public void add(Runnable release) {
        synchronized (held) {
            if (!isClosed) {
                held.add(release);
                return;
            }
        }
        release.run();
    }

    /** Returns whether an action is waiting. */
    public boolean isHolding() {
        synchronized (held) {
            return !held.isEmpty();
        }
    }

    @Override
    public void close() {
        List<Runnable> all;
        synchronized (held) {
            isClosed = true;
            all = List.copyOf(held);
            held.clear();
        }
        all.forEach(Runnable::run);
    }
}
