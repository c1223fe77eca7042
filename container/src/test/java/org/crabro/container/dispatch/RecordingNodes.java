package org.crabro.container.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.protocol.cluster.PartitionPosition;
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

/** Nodes that accept every write, have no document, and record the requests. */
final class RecordingNodes implements DocumentNodes {
    /** Requests of one write have a list of one. */
    final List<WriteRequest> writes = new ArrayList<>();

    final List<GetRequest> gets = new ArrayList<>();

    @Override
    public List<WriteReply> write(WriteRequest request) {
        writes.add(request);
        return request.writes().stream()
                .<WriteReply>map(write ->
                        new WriteReply.Stored(1, new PartitionPosition(write.partition(), 1)))
                .toList();
    }

    @Override
    public WriteReply write(RequestHeader header, Write write, Optional<OperationId> id) {
        return write(new WriteRequest(header, write, id)).getFirst();
    }

    @Override
    public GetReply get(GetRequest request, ReadHold hold) {
        gets.add(request);
        return new GetReply.Missing();
    }

    @Override
    public VisitReply visit(VisitRequest request) {
        throw new AssertionError("nothing is visited: " + request);
    }
}
