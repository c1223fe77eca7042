package org.crabro.container;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.container.http.HttpListener;
import org.crabro.container.http.TlsSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ports that a container listens on, at least one. Changed by one thread at a time, read by
 * many.
 */
final class Listeners implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private final Opening opening;

    /** By port, in the order in which they were asked for; replaced as a whole. */
    private volatile Map<Integer, HttpListener> open;

    /** What each port speaks. Touched by who changes ports. */
    private final Map<Integer, Optional<TlsSettings>> spoken = new HashMap<>();

    /** Listens on a port. */
    interface Opening {
        /**
         * Listens.
         *
         * @param tls nothing for cleartext
         */
        HttpListener open(int port, Optional<TlsSettings> tls) throws IOException;
    }

    /**
     * Listens on one port.
     *
     * @param port 0 for any that is free
     * @throws IOException if it cannot be had
     */
    Listeners(int port, Optional<TlsSettings> tls, Opening opening) throws IOException {
        this.opening = opening;
        HttpListener first = opening.open(port, tls);
        this.open = Map.of(first.port(), first);
        spoken.put(first.port(), tls);
    }

    /** Returns the listener that was asked for first. */
    HttpListener first() {
        return open.values().iterator().next();
    }

    /**
     * Listens on these ports besides those that are listened on already. Of one that spoke TLS
     * before and does now, connections go on; of one that did not, or does not now, they end.
     *
     * @throws IOException if one cannot be had; nothing has changed then
     * @throws IllegalArgumentException if one cannot speak TLS so; nothing has changed then
     */
    void add(Map<Integer, Optional<TlsSettings>> ports) throws IOException {
        ports.values().forEach(tls -> tls.ifPresent(HttpListener::check));
        var all = new LinkedHashMap<>(open);
        var added = new ArrayList<Integer>();
        var turned = new ArrayList<Integer>();
        try {
            for (var each : ports.entrySet()) {
                HttpListener listener = all.get(each.getKey());
                if (listener == null) {
                    all.put(each.getKey(), opening.open(each.getKey(), each.getValue()));
                    added.add(each.getKey());
                } else if (listener.isSecure() != each.getValue().isPresent()) {
                    turned.add(each.getKey());
                    turn(all, listener, each.getValue());
                }
            }
        } catch (IOException | RuntimeException e) {
            added.stream().map(all::remove).forEach(HttpListener::close);
            for (int port : turned) {
                turnBack(all, port, e);
            }
            open = all;
            throw e;
        }
        open = all;
        spoken.putAll(ports);
        all.forEach((port, listener) ->
                ports.getOrDefault(port, Optional.empty()).ifPresent(listener::renew));
    }

    /** A port can be had once only: for the time in between nobody listens there. */
    private void turn(
            Map<Integer, HttpListener> all, HttpListener before, Optional<TlsSettings> tls)
            throws IOException {
        int port = before.port();
        before.close();
        all.put(port, opening.open(port, tls));
        LOG.info("port {} speaks {} now", port, tls.isPresent() ? "TLS" : "cleartext");
    }

    private void turnBack(Map<Integer, HttpListener> all, int port, Exception cause) {
        Optional<TlsSettings> before = spoken.getOrDefault(port, Optional.empty());
        HttpListener now = all.get(port);
        if (now != null) {
            now.close();
        }
        try {
            all.put(port, opening.open(port, before));
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** Listens on these ports alone, which are all listened on; requests under way end first. */
    void keep(Set<Integer> ports) {
        Map<Integer, HttpListener> before = open;
        var kept = new LinkedHashMap<Integer, HttpListener>();
        for (int port : ports) {
            HttpListener listener = before.get(port);
            if (listener == null) {
                throw new IllegalArgumentException("no listener on " + port);
            }
            kept.put(port, listener);
        }
        if (kept.isEmpty()) {
            throw new IllegalArgumentException("no port is left");
        }
        open = kept;
        spoken.keySet().retainAll(ports);
        before.forEach((port, listener) -> {
            if (!kept.containsKey(port)) {
                listener.close();
            }
        });
    }

    /** Returns the number of requests in progress at all ports. */
    long requestsInProgress() {
        return open.values().stream().mapToLong(HttpListener::requestsInProgress).sum();
    }

    @Override
    public void close() {
        open.values().forEach(HttpListener::close);
    }
}
