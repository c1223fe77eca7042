package org.crabro.protocol.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The address of a content node.
 *
 * @param host a name or an IP address
 * @param port 1 to 65,535; 0 for a node that listens at any free port
 */
public record NodeAddress(String host, int port) {
    /** An address of this machine that other machines cannot reach. */
    public static final String LOOPBACK = "127.0.0.1";

    public NodeAddress {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port " + port);
        }
    }

    /**
     * Rejects an address that is not a loopback address.
     *
     * @throws IllegalArgumentException if it is not, or is unknown; the message contains the reason
     */
    public void requireLoopback() {
        boolean isLoopback;
        try {
            isLoopback = InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("there is no address '%s'".formatted(host), e);
        }
        if (!isLoopback) {
            throw new IllegalArgumentException(
                    "without certificates, the servers of a cluster use loopback addresses only, not '%s': messages would cross the network without TLS; give --node-key, --node-certificates and --node-authorities, or --insecure"
                            .formatted(host));
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
