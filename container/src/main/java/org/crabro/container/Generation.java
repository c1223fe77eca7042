package org.crabro.container;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.eclipse.jetty.server.Handler;

/**
 * An activated application as a container serves it: the handlers built from it, and what they
 * hold. Requests count themselves in and out; what it holds is let go when the last is out after
 * {@link #retire()}.
 */
final class Generation {
    private final long number;
    private final IntFunction<Handler> handlers;
    private final Runnable release;

    /** Requests under way, and one for being the active generation. */
    private final AtomicInteger uses = new AtomicInteger(1);

    /**
     * @param handlers what answers at a port; asked for any that requests come in at
     */
    Generation(long number, IntFunction<Handler> handlers, Runnable release) {
        this.number = number;
        this.handlers = handlers;
        this.release = release;
    }

    long number() {
        return number;
    }

    Handler handler(int port) {
        return handlers.apply(port);
    }

    /** Counts a request in; false where everything was let go already. */
    boolean acquire() {
        int seen = uses.get();
        while (seen > 0) {
            int found = uses.compareAndExchange(seen, seen + 1);
            if (found == seen) {
                return true;
            }
            seen = found;
        }
        return false;
    }

    /** Counts a request out. */
    void release() {
        if (uses.decrementAndGet() == 0) {
            release.run();
        }
    }

    /** Says that no new request will come; called once. */
    void retire() {
        release();
    }
}
