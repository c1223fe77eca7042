package org.crabro.server;

import io.opentelemetry.api.trace.Tracer;
import java.io.IOException;
import java.util.Optional;
import org.crabro.container.dispatch.ClusterNodes;
import org.crabro.container.trace.Traces;
import org.crabro.container.wire.NodeClient;
import org.crabro.container.wire.NodeConnections;
import org.crabro.content.node.ContentService;
import org.crabro.content.node.wire.ContentServer;
import org.crabro.document.memory.RequestMemory;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeIdentity;
import org.crabro.protocol.transport.NodeSecurity;

/** Links the container with the content nodes of the process: directly, or over sockets. */
final class StoreLinks {
    private static final String CLUSTER = "process";

    private final WireSettings settings;
    private final Optional<NodeConnections> connections;
    private final Tracer tracer;
    private final RequestMemory memory;

    /** Links nodes without spans, with the default memory. */
    StoreLinks(WireSettings settings) {
        this(
                settings,
                Traces.NONE.tracer(),
                RequestMemory.ofHeap(Runtime.getRuntime().maxMemory()));
    }

    /**
     * @param tracer makes the spans of nodes behind sockets
     * @param memory for the values of requests to nodes behind sockets
     * @throws IllegalArgumentException if a certificate is invalid; the message names its file
     */
    StoreLinks(WireSettings settings, Tracer tracer, RequestMemory memory) {
        this.settings = settings;
        this.tracer = tracer;
        this.memory = memory;
        this.connections =
                settings.loopback()
                        ? Optional.of(new NodeConnections(settings.tls(), settings.limits()))
                        : Optional.empty();
    }

    /**
     * A link to one node.
     *
     * @param closing closes the link, before the node
     */
    record Link(ClusterNodes nodes, Runnable closing) {}

    /** Returns a node that the container calls directly. */
    static ClusterNodes direct(ContentService node) {
        return new ClusterNodes(new InProcessDocuments(node), node::search);
    }

    /**
     * Links a node.
     *
     * @param number of the store
     * @throws IOException if the node cannot listen
     */
    Link link(ContentService node, int number) throws IOException {
        if (connections.isEmpty()) {
            return new Link(direct(node), () -> {});
        }
        var identity = new NodeIdentity(CLUSTER, "store-" + number);
        ContentServer server =
                ContentServer.start(
                        new NodeAddress(NodeAddress.LOOPBACK, 0),
                        NodeSecurity.of(settings.tls()),
                        identity,
                        settings.limits(),
                        ContentServer.Served.of(node).with(tracer).with(memory));
        NodeClient client = connections.get().connect(server.address(), identity);
        return new Link(
                new ClusterNodes(client, client),
                () -> {
                    client.close();
                    server.close();
                });
    }
}
