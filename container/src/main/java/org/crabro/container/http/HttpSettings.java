package org.crabro.container.http;

import java.time.Duration;
import java.util.Optional;

/**
 * The address of a listener, and its bounds.
 *
 * @param browsers which requests of browsers are accepted
 * @param bodies the speed at which clients must send bodies
 */
public record HttpSettings(
        Endpoint endpoint,
        BrowserSettings browsers,
        RequestLimits requests,
        ConnectionLimits connections,
        BodyTimes bodies) {
    /** Returns the defaults, on {@code port} of the loopback address. */
    public static HttpSettings loopback(int port) {
        return new HttpSettings(
                new Endpoint("127.0.0.1", port, Optional.empty()),
                BrowserSettings.DEFAULT,
                RequestLimits.DEFAULT,
                ConnectionLimits.DEFAULT,
                BodyTimes.DEFAULT);
    }

    /** Returns the address to which the listener is bound. */
    public String address() {
        return endpoint.address();
    }

    /** Returns the port, 0 for any free port. */
    public int port() {
        return endpoint.port();
    }

    /** Returns the TLS settings; empty for cleartext. */
    public Optional<TlsSettings> tls() {
        return endpoint.tls();
    }

    /** Returns these settings for another address and with other files for TLS. */
    public HttpSettings at(String otherAddress, Optional<TlsSettings> otherTls) {
        return at(new Endpoint(otherAddress, endpoint.port(), otherTls));
    }

    /** Returns these settings for another port. */
    public HttpSettings withPort(int other) {
        return at(new Endpoint(endpoint.address(), other, endpoint.tls()));
    }

    private HttpSettings at(Endpoint other) {
        return new HttpSettings(other, browsers, requests, connections, bodies);
    }

    /** Returns these settings with other rules for browsers. */
    public HttpSettings with(BrowserSettings other) {
        return new HttpSettings(endpoint, other, requests, connections, bodies);
    }

    /** Returns these settings with other bounds of connections. */
    public HttpSettings with(ConnectionLimits other) {
        return new HttpSettings(endpoint, browsers, requests, other, bodies);
    }

    /** Returns these settings with other times of bodies. */
    public HttpSettings with(BodyTimes other) {
        return new HttpSettings(endpoint, browsers, requests, connections, other);
    }

    /**
     * The address of a listener.
     *
     * @param address loopback by default
     * @param port 0 for any free port
     * @param tls empty for cleartext
     */
    public record Endpoint(String address, int port, Optional<TlsSettings> tls) {}

    /**
     * Bounds of requests.
     *
     * @param maxHeaderBytes larger request headers get status 431
     * @param maxStreams concurrent requests on one HTTP/2 connection
     */
    public record RequestLimits(int maxHeaderBytes, int maxStreams) {
        public static final RequestLimits DEFAULT = new RequestLimits(64 * 1024, 512);

        public RequestLimits {
            if (maxHeaderBytes < 1 || maxStreams < 1) {
                throw new IllegalArgumentException(
                        "maxHeaderBytes is %d, maxStreams %d; each must be at least 1"
                                .formatted(maxHeaderBytes, maxStreams));
            }
        }
    }

    /**
     * The limits of connections.
     *
     * @param max further connections are not accepted until others close; if nine of ten are open,
     *     those idle for longest are closed
     * @param maxPerAddress further connections of one address, or of one IPv6 network of 64 bits,
     *     are closed
     * @param idleTimeout connections without traffic for longer are closed
     * @param headerTimeout connections whose client takes longer to send the headers of a request,
     *     including the TLS handshake, are closed
     */
    public record ConnectionLimits(
            int max, int maxPerAddress, Duration idleTimeout, Duration headerTimeout) {
        public static final ConnectionLimits DEFAULT =
                new ConnectionLimits(10_000, 2_500, Duration.ofMinutes(3), Duration.ofSeconds(20));

        public ConnectionLimits {
            if (max < 1 || maxPerAddress < 1) {
                throw new IllegalArgumentException(
                        "max is %d, maxPerAddress %d; each must be at least 1"
                                .formatted(max, maxPerAddress));
            }
            if (!idleTimeout.isPositive() || !headerTimeout.isPositive()) {
                throw new IllegalArgumentException("idleTimeout and headerTimeout must be above 0");
            }
        }
    }

    /**
     * The minimum pace of request bodies. Only the time in which the server waits for the client
     * counts.
     *
     * @param minBytesPerSecond a body fails with 408 if its connection receives less, except bodies
     *     of bulk requests; 0 for no limit
     * @param interval in which the rate is measured
     * @param stalled a body that receives less than {@link BodyMemory#PROGRESS_BYTES} in this time
     *     gives its memory to others
     * @param idle a bulk request or an upload that receives less than that in this time gives its
     *     place to others
     */
    public record BodyTimes(
            long minBytesPerSecond, Duration interval, Duration stalled, Duration idle) {
        /** A stalled body gives way early enough for clients that retry after a second. */
        public static final BodyTimes DEFAULT =
                new BodyTimes(
                        256, Duration.ofSeconds(30), Duration.ofSeconds(1), Duration.ofSeconds(10));

        public BodyTimes {
            if (minBytesPerSecond < 0 || !interval.isPositive()) {
                throw new IllegalArgumentException(
                        "minBytesPerSecond is %d, interval %s; at least 0 and more than 0 are needed"
                                .formatted(minBytesPerSecond, interval));
            }
            if (stalled.isNegative() || idle.isNegative()) {
                throw new IllegalArgumentException("stalled and idle must not be negative");
            }
        }
    }
}
