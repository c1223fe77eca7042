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

    /** By port, in the order of the requests; replaced as a whole. */
    private volatile Map<Integer, HttpListener> open;

    /** The TLS settings of each port. Used by the thread that changes ports. */
    private final Map<Integer, Optional<TlsSettings>> spoken = new HashMap<>();

    /** Opens ports. */
    interface Opening {
        /**
         * Opens a port that does not accept connections yet.
         *
         * @param tls empty for cleartext
         */
        HttpListener open(int port, Optional<TlsSettings> tls) throws IOException;
    }

    /** The port of servers that name none. */
    private final int ownPort;

    /** Why the own port is not open since the start; empty if it was opened. */
    private final Optional<IOException> taken;

    /**
     * Opens one port. Connections to it wait for {@link #accept}.
     *
     * @param port 0 for any free port
     * @param mayMove whether to open any free port if this one cannot be opened, because an
     *     application may name another; {@link #check} then reports the failure
     * @throws IOException if it cannot be opened
     */
    Listeners(int port, Optional<TlsSettings> tls, boolean mayMove, Opening opening)
            throws IOException {
        this.opening = opening;
        HttpListener first;
        Optional<IOException> failure = Optional.empty();
        try {
            first = opening.open(port, tls);
        } catch (IOException e) {
            if (!mayMove || port == 0) {
                throw e;
            }
            first = opening.open(0, tls);
            failure = Optional.of(e);
        }
        this.taken = failure;
        this.ownPort = failure.isPresent() ? port : first.port();
        this.open = Map.of(first.port(), first);
        spoken.put(first.port(), tls);
    }

    /** Returns the port of servers that name none. */
    int ownPort() {
        return ownPort;
    }

    /**
     * Checks that the own port was opened, or is not needed.
     *
     * @param isServing whether an application is active, which then names other ports
     * @throws IOException if the own port is needed and was not opened
     */
    void check(boolean isServing) throws IOException {
        if (taken.isPresent() && !isServing) {
            throw taken.get();
        }
    }

    /** Returns the first listener. */
    HttpListener first() {
        return open.values().iterator().next();
    }

    /** Returns the listener of a port, or the first one if the port is not open. */
    HttpListener at(int port) {
        Map<Integer, HttpListener> all = open;
        return all.getOrDefault(port, all.values().iterator().next());
    }

    /**
     * Opens these ports in addition to the open ones. Connections to them wait for {@link #accept}.
     * If an open port changes between TLS and cleartext, its connections end; otherwise they
     * continue.
     *
     * @throws IOException if a port cannot be opened; nothing has changed then
     * @throws IllegalArgumentException if TLS settings are invalid; nothing has changed then
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

    /** A port can be opened only once, so it is closed for a moment. */
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
            HttpListener again = opening.open(port, before);
            again.accept();
            all.put(port, again);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** Accepts connections at all open ports. */
    void accept() {
        open.values().forEach(HttpListener::accept);
    }

    /** Closes all other ports, after their requests in progress. These ports must be open. */
    void keep(Set<Integer> ports) {
        Map<Integer, HttpListener> before = open;
        var retained = new LinkedHashMap<Integer, HttpListener>();
        for (int port : ports) {
            HttpListener listener = before.get(port);
            if (listener == null) {
                throw new IllegalArgumentException("no listener on " + port);
            }
            retained.put(port, listener);
        }
        if (retained.isEmpty()) {
            throw new IllegalArgumentException("no port is left");
        }
        open = retained;
        spoken.keySet().retainAll(ports);
        before.forEach((port, listener) -> {
            if (!retained.containsKey(port)) {
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
