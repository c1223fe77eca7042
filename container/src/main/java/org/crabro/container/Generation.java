package org.crabro.container;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.crabro.container.access.AccessHandler;
import org.crabro.ranking.onnx.Embedder;

/**
 * An active application: its handlers and their resources. Each request acquires and releases it.
 * The resources are closed after {@link #retire}, when the last request has ended.
 */
final class Generation {
    private final long number;
    private final IntFunction<AccessHandler> handlers;
    private final ScriptsOfTypes scripts;
    private final Map<String, Embedder> embedders;
    private final Runnable release;

    /** Requests in progress, plus one while it is not retired. */
    private final AtomicInteger uses = new AtomicInteger(1);

    private volatile Runnable onRelease = () -> {};

    /**
     * @param handlers the handler of each port; called for every port with requests
     * @param scripts for reindexing
     * @param embedders by the id of their component
     * @param release closes the resources
     */
    Generation(
            long number,
            IntFunction<AccessHandler> handlers,
            ScriptsOfTypes scripts,
            Map<String, Embedder> embedders,
            Runnable release) {
        this.number = number;
        this.handlers = handlers;
        this.scripts = scripts;
        this.embedders = Map.copyOf(embedders);
        this.release = release;
    }

    long number() {
        return number;
    }

    ScriptsOfTypes scripts() {
        return scripts;
    }

    /** Returns the embedders by the id of their component; for callers that acquired this. */
    Map<String, Embedder> embedders() {
        return embedders;
    }

    AccessHandler handler(int port) {
        return handlers.apply(port);
    }

    /** Acquires this for a request; false if its resources are closed. */
    boolean acquire() {
        int seen = uses.get();
        while (seen > 0) {
            int current = uses.compareAndExchange(seen, seen + 1);
            if (current == seen) {
                return true;
            }
            seen = current;
        }
        return false;
    }

    /** Releases this after a request. */
    void release() {
        if (uses.decrementAndGet() == 0) {
            release.run();
            onRelease.run();
        }
    }

    /**
     * Ends the use by new requests; called once.
     *
     * @param then runs after the resources are closed
     */
    void retire(Runnable then) {
        onRelease = then;
        release();
    }
}
