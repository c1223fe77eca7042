package org.crabro.server;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.dispatch.DocumentNodes;
import org.crabro.container.wire.NodeClient;
import org.crabro.container.wire.NodeConnections;
import org.crabro.content.node.wire.ContentServer;
import org.crabro.document.DocumentId;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeIdentity;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;

/** A scripted content node that listens, and a client of it. */
final class WiredNode implements AutoCloseable {
    static final NodeIdentity IDENTITY = new NodeIdentity("test", "node-1");
    static final NodeAddress ANY_PORT = new NodeAddress(NodeAddress.LOOPBACK, 0);
    static final CallLimits LIMITS = new CallLimits(100, 256 << 20);
    static final DocumentId ID = DocumentId.parse("id:ns:note:g=anna:1");

    final ScriptedNode node = new ScriptedNode();
    final ContentServer server;
    final NodeConnections connections;
    final NodeClient client;

    /** Starts a node without TLS. */
    WiredNode(CallLimits ofServer, CallLimits ofClient) throws IOException {
        server = ContentServer.start(ANY_PORT, Optional.empty(), IDENTITY, ofServer, node);
        connections = new NodeConnections(Optional.empty(), ofClient);
        client = connections.connect(server.address(), IDENTITY);
    }

    WiredNode() throws IOException {
        this(LIMITS, LIMITS);
    }

    static Deadline soon() {
        return Deadline.after(Duration.ofSeconds(30));
    }

    static RequestHeader header(Deadline deadline) {
        return new RequestHeader(Principal.EVERYONE, 1, deadline);
    }

    static GetRequest get(Deadline deadline) {
        return new GetRequest(header(deadline), 3, ID, Optional.empty());
    }

    /** Removes the document. */
    static WriteReply remove(DocumentNodes nodes, Deadline deadline) {
        return nodes.write(
                header(deadline), operation(new DocumentOperation.Remove(ID)), Optional.empty());
    }

    static Write.Operation operation(DocumentOperation operation) {
        return new Write.Operation(3, ConditionalOperation.always(operation));
    }

    static VisitRequest visit(Deadline deadline) {
        return new VisitRequest(
                header(deadline),
                new VisitScope(3, "note", VisitSlice.ALL, Optional.empty(), 0, Long.MAX_VALUE),
                Map.of("note", List.of("title")),
                false,
                new VisitForm.Ids(),
                new PageLimits(10, 1_000));
    }

    static SearchRequest search(Deadline deadline) {
        return new SearchRequest(
                header(deadline),
                new SearchScope(List.of(3), "note", new Scope.Group("anna"), List.of()),
                new RankedQuery(
                        new QueryNode.All(),
                        new RankSettings(
                                "unranked", Map.of(), RankSettings.Statistics.GROUP, 1_000)),
                new HitSettings(10, List.of(), SummarySettings.DEFAULT),
                GroupingSettings.NONE,
                new ReplySettings(true, 1));
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
