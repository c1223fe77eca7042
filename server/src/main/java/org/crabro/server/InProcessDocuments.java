package org.crabro.server;

import org.crabro.container.dispatch.DocumentNodes;
import org.crabro.content.node.ContentService;
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

/** Carries requests to a node of the same process, as they are. */
public record InProcessDocuments(ContentService content) implements DocumentNodes {
    @Override
    public FeedReply feed(FeedRequest request) {
        return content.feed(request);
    }

    @Override
    public FeedReply feed(FeedRowRequest request) {
        return content.feed(request);
    }

    @Override
    public FeedBatchReply feed(FeedBatchRequest request) {
        return content.feed(request);
    }

    @Override
    public FeedReply removeGroup(RemoveGroupRequest request) {
        return content.removeGroup(request);
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
