package org.crabro.protocol.feed;

import java.util.ArrayList;
import java.util.List;

/**
 * What a reader of documents holds of a node of the same process until it needs their values no
 * more: the node counts the memory of large ones until this is closed. A node that answers over the
 * wire holds nothing of its own then. For any number of threads.
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

    /** Has {@code letGo} run when this is closed; at once where it is closed already. */
    public void add(Runnable letGo) {
        synchronized (held) {
            if (!isClosed) {
                held.add(letGo);
                return;
            }
        }
        letGo.run();
    }

    /** Returns whether something is held. */
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
