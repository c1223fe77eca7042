package org.crabro.container.dispatch;

import java.util.ArrayList;
import java.util.List;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.FeedBatchReply;
import org.crabro.protocol.feed.FeedBatchRequest;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.FeedRowRequest;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.RemoveGroupRequest;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;

/** Nodes that accept every write, have no document, and record the requests. */
final class RecordingNodes implements DocumentNodes {
    final List<FeedRequest> feeds = new ArrayList<>();
    final List<FeedRowRequest> rows = new ArrayList<>();
    final List<FeedBatchRequest> batches = new ArrayList<>();
    final List<GetRequest> gets = new ArrayList<>();

    @Override
    public FeedReply feed(FeedRequest request) {
        feeds.add(request);
        return new FeedReply.Stored(1, new PartitionPosition(0, 1));
    }

    @Override
    public FeedReply feed(FeedRowRequest request) {
        rows.add(request);
        return new FeedReply.Stored(1, new PartitionPosition(0, 1));
    }

    @Override
    public FeedBatchReply feed(FeedBatchRequest request) {
        batches.add(request);
        return new FeedBatchReply(
                request.writes().stream()
                        .<FeedReply>map(write ->
                                new FeedReply.Stored(
                                        1, new PartitionPosition(write.partition(), 1)))
                        .toList());
    }

    @Override
    public GetReply get(GetRequest request, ReadHold hold) {
        gets.add(request);
        return new GetReply.Missing();
    }

    @Override
    public FeedReply removeGroup(RemoveGroupRequest request) {
        throw new AssertionError("no group is removed: " + request);
    }

    @Override
    public VisitReply visit(VisitRequest request) {
        throw new AssertionError("nothing is visited: " + request);
    }
}
