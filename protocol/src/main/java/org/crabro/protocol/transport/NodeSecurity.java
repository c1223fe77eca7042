package org.crabro.protocol.transport;

import java.util.Optional;

/**
 * How the servers of a cluster protect the messages between them.
 *
 * @param tls the files for mutual TLS; empty to talk without TLS
 * @param isInsecure whether messages may cross a network without TLS, because an operator wants it
 */
public record NodeSecurity(Optional<TlsFiles> tls, boolean isInsecure) {
    /** Without TLS, on loopback addresses alone. */
    public static final NodeSecurity LOOPBACK = new NodeSecurity(Optional.empty(), false);

    /** Mutual TLS, or loopback addresses without it. */
    public static NodeSecurity of(Optional<TlsFiles> tls) {
        return new NodeSecurity(tls, false);
    }

    /**
     * Rejects an address that other machines reach, if messages would have no TLS.
     *
     * @throws IllegalArgumentException if so, or the address is unknown; the message contains the
     *     reason
     */
    public void check(NodeAddress address) {
        if (tls.isEmpty() && !isInsecure) {
            address.requireLoopback();
        }
    }
}
