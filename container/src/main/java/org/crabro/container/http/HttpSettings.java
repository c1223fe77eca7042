package org.crabro.container.http;

import java.time.Duration;
import java.util.Optional;

/**
 * How a listener listens, and its bounds.
 *
 * @param address loopback unless told otherwise
 * @param port 0 for any that is free
 * @param tls nothing for cleartext
 * @param maxHeaderBytes larger request headers are answered with 431
 * @param maxStreams requests under way at once on one HTTP/2 connection
 * @param maxConnections connections beyond are not accepted until others close
 * @param idleTimeout connections silent for longer are closed
 */
public record HttpSettings(
        String address,
        int port,
        Optional<TlsSettings> tls,
        int maxHeaderBytes,
        int maxStreams,
        int maxConnections,
        Duration idleTimeout) {
    public HttpSettings {
        if (maxHeaderBytes < 1 || maxStreams < 1 || maxConnections < 1) {
            throw new IllegalArgumentException(
                    "maxHeaderBytes is %d, maxStreams %d, maxConnections %d; each must be at least 1"
                            .formatted(maxHeaderBytes, maxStreams, maxConnections));
        }
        if (!idleTimeout.isPositive()) {
            throw new IllegalArgumentException("idleTimeout must be above 0");
        }
    }

    /** Returns the defaults, on {@code port} of the loopback address. */
    public static HttpSettings loopback(int port) {
        return new HttpSettings(
                "127.0.0.1", port, Optional.empty(), 64 * 1024, 512, 10_000, Duration.ofMinutes(3));
    }

    /** Returns these settings for another address and with other files for TLS. */
    public HttpSettings at(String otherAddress, Optional<TlsSettings> otherTls) {
        return new HttpSettings(
                otherAddress,
                port,
                otherTls,
                maxHeaderBytes,
                maxStreams,
                maxConnections,
                idleTimeout);
    }

    /** Returns these settings for another port. */
    public HttpSettings withPort(int other) {
        return new HttpSettings(
                address, other, tls, maxHeaderBytes, maxStreams, maxConnections, idleTimeout);
    }
}
