package org.crabro.server.cluster;

import io.opentelemetry.api.trace.Tracer;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeSecurity;

/**
 * How a server takes part in a cluster.
 *
 * @param name by which packages call the host
 * @param address where the server listens for other servers, a name or an IP address; without TLS a
 *     loopback address
 * @param ports of its content nodes
 * @param security of the messages between servers
 * @param limits of requests and messages
 * @param tracer makes the spans of content nodes
 */
record HostSettings(
        String name,
        String address,
        HostPorts ports,
        NodeSecurity security,
        CallLimits limits,
        Tracer tracer) {
    /**
     * Parses {@code host:port}.
     *
     * @throws IllegalArgumentException if it has another form
     */
    static NodeAddress address(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException("'%s' is not HOST:PORT".formatted(text));
        }
        return new NodeAddress(
                text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
}
