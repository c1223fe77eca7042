package org.crabro.container;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.crabro.container.http.HttpListener;

/**
 * The ports that a container listens on, at least one. Changed by one thread at a time, read by
 * many.
 */
final class Listeners implements AutoCloseable {
    private final Opening opening;

    /** By port, in the order in which they were asked for; replaced as a whole. */
    private volatile Map<Integer, HttpListener> open;

    /** Listens on a port. */
    interface Opening {
        HttpListener open(int port) throws IOException;
    }

    /**
     * Listens on one port.
     *
     * @param port 0 for any that is free
     * @throws IOException if it cannot be had
     */
    Listeners(int port, Opening opening) throws IOException {
        this.opening = opening;
        HttpListener first = opening.open(port);
        this.open = Map.of(first.port(), first);
    }

    /** Returns the listener that was asked for first. */
    HttpListener first() {
        return open.values().iterator().next();
    }

    /**
     * Listens on these ports besides those that are listened on already.
     *
     * @throws IOException if one cannot be had; nothing has changed then
     */
    void add(Set<Integer> ports) throws IOException {
        var all = new LinkedHashMap<>(open);
        var added = new ArrayList<HttpListener>();
        try {
            for (int port : ports) {
                if (!all.containsKey(port)) {
                    HttpListener listener = opening.open(port);
                    all.put(port, listener);
                    added.add(listener);
                }
            }
        } catch (IOException e) {
            added.forEach(HttpListener::close);
            throw e;
        }
        open = all;
    }

    /** Listens on these ports alone, which are all listened on; requests under way end first. */
    void keep(Set<Integer> ports) {
        Map<Integer, HttpListener> before = open;
        var kept = new LinkedHashMap<Integer, HttpListener>();
        for (int port : ports) {
            HttpListener listener = before.get(port);
            if (listener == null) {
                throw new IllegalArgumentException("nobody listens on " + port);
            }
            kept.put(port, listener);
        }
        if (kept.isEmpty()) {
            throw new IllegalArgumentException("no port is left");
        }
        open = kept;
        before.forEach((port, listener) -> {
            if (!kept.containsKey(port)) {
                listener.close();
            }
        });
    }

    @Override
    public void close() {
        open.values().forEach(HttpListener::close);
    }
}
