package org.crabro.server;

import java.util.List;
import java.util.Optional;
import org.crabro.container.dispatch.DocumentNodes;
import org.crabro.content.node.ContentService;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.wire.RequestHeader;

/** Carries requests to a node of the same process, as they are. */
public record InProcessDocuments(ContentService content) implements DocumentNodes {
    @Override
    public List<WriteReply> write(WriteRequest request) {
        return content.write(request);
    }

    @Override
    public WriteReply write(RequestHeader header, Write write, Optional<OperationId> id) {
        return content.write(header, write, id);
    }

    @Override
    public GetReply get(GetRequest request, ReadHold hold) {
        return content.get(request, hold);
    }

    @Override
    public VisitReply visit(VisitRequest request) {
        return content.visit(request);
    }
}
