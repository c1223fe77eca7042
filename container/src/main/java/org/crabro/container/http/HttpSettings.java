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
    /** Returns the defaults, on {@code port} of the loopback address. */
    public static HttpSettings loopback(int port) {
        return new HttpSettings(
                "127.0.0.1", port, Optional.empty(), 64 * 1024, 512, 10_000, Duration.ofMinutes(3));
    }
}
