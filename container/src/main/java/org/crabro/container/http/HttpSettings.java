package org.crabro.container.http;

import java.time.Duration;
import java.util.Optional;

/**
 * How a listener listens, and its bounds.
 *
 * @param address loopback unless told otherwise
 * @param port 0 for any that is free
 * @param tls nothing for cleartext
 * @param browsers which requests of browsers are accepted
 * @param maxHeaderBytes larger request headers are answered with 431
 * @param maxStreams requests under way at once on one HTTP/2 connection
 * @param connections bounds of connections
 */
public record HttpSettings(
        String address,
        int port,
        Optional<TlsSettings> tls,
        BrowserSettings browsers,
        int maxHeaderBytes,
        int maxStreams,
        ConnectionLimits connections) {
    public HttpSettings {
        if (maxHeaderBytes < 1 || maxStreams < 1) {
            throw new IllegalArgumentException(
                    "maxHeaderBytes is %d, maxStreams %d; each must be at least 1"
                            .formatted(maxHeaderBytes, maxStreams));
        }
    }

    /** Returns the defaults, on {@code port} of the loopback address. */
    public static HttpSettings loopback(int port) {
        return new HttpSettings(
                "127.0.0.1",
                port,
                Optional.empty(),
                BrowserSettings.DEFAULT,
                64 * 1024,
                512,
                ConnectionLimits.DEFAULT);
    }

    /** Returns these settings for another address and with other files for TLS. */
    public HttpSettings at(String otherAddress, Optional<TlsSettings> otherTls) {
        return new HttpSettings(
                otherAddress, port, otherTls, browsers, maxHeaderBytes, maxStreams, connections);
    }

    /** Returns these settings for another port. */
    public HttpSettings withPort(int other) {
        return new HttpSettings(
                address, other, tls, browsers, maxHeaderBytes, maxStreams, connections);
    }

    /** Returns these settings with other rules for browsers. */
    public HttpSettings with(BrowserSettings other) {
        return new HttpSettings(address, port, tls, other, maxHeaderBytes, maxStreams, connections);
    }

    /** Returns these settings with other bounds of connections. */
    public HttpSettings with(ConnectionLimits other) {
        return new HttpSettings(address, port, tls, browsers, maxHeaderBytes, maxStreams, other);
    }

    /**
     * Bounds of connections.
     *
     * @param max connections beyond are not accepted until others close; when nine of ten are open,
     *     those idle for longest are closed
     * @param maxPerAddress further connections of one address, or of one IPv6 network of 64 bits,
     *     are closed
     * @param idleTimeout connections silent for longer are closed
     * @param headerTimeout connections are closed whose client takes longer to send the headers of
     *     a request, the TLS handshake included
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
}
