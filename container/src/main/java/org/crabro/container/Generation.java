package org.crabro.container;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.eclipse.jetty.server.Handler;

/**
 * An activated application as a container serves it: the handlers built from it, and what they
 * hold. Requests count themselves in and out; what it holds is let go when the last is out after
 * {@link #retire}.
 */
final class Generation {
    private final long number;
    private final IntFunction<Handler> handlers;
    private final ScriptsOfTypes scripts;
    private final Runnable release;

    /** Requests under way, and one for being the active generation. */
    private final AtomicInteger uses = new AtomicInteger(1);

    private volatile Runnable whenLetGo = () -> {};

    /**
     * @param handlers what answers at a port; asked for any that requests come in at
     * @param scripts which stored documents go through again
     */
    Generation(
            long number, IntFunction<Handler> handlers, ScriptsOfTypes scripts, Runnable release) {
        this.number = number;
        this.handlers = handlers;
        this.scripts = scripts;
        this.release = release;
    }

    long number() {
        return number;
    }

    ScriptsOfTypes scripts() {
        return scripts;
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
            whenLetGo.run();
        }
    }

    /**
     * Says that no new request will come; called once.
     *
     * @param then run after what this holds was let go
     */
    void retire(Runnable then) {
        whenLetGo = then;
        release();
    }
}
