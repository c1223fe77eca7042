package org.crabro.container.dispatch;

import java.util.List;
import java.util.Optional;
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

/** Carries writes and reads of documents to content nodes: in process, or over the wire. */
public interface DocumentNodes {
    /** Carries out the writes of a request; returns the reply to each, in their order. */
    List<WriteReply> write(WriteRequest request);

    /**
     * Carries out one write.
     *
     * @param id of a sender that may send it again
     */
    WriteReply write(RequestHeader header, Write write, Optional<OperationId> id);

    /**
     * Reads a document.
     *
     * @param hold the caller closes it when it no longer needs the values
     */
    GetReply get(GetRequest request, ReadHold hold);

    VisitReply visit(VisitRequest request);
}
