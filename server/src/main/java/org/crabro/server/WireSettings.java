package org.crabro.server;

import java.util.Optional;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.TlsFiles;

/**
 * The connection between the container and its content nodes.
 *
 * @param loopback whether the content nodes of the process listen, and the container sends its
 *     requests over the loopback address, as between machines; otherwise it calls them
 * @param limits of requests in progress and of messages
 * @param tls the certificates of both ends; empty for no TLS
 */
public record WireSettings(boolean loopback, CallLimits limits, Optional<TlsFiles> tls) {
    /** Returns the settings of a process without sockets between its parts. */
    static WireSettings ofHeap(long heapBytes) {
        return new WireSettings(false, CallLimits.ofHeap(heapBytes), Optional.empty());
    }
}
