package org.crabro.container.dispatch;

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

/** Carries writes and reads of documents to content nodes: in process, or over the wire. */
public interface DocumentNodes {
    FeedReply feed(FeedRequest request);

    FeedReply feed(FeedRowRequest request);

    FeedBatchReply feed(FeedBatchRequest request);

    FeedReply removeGroup(RemoveGroupRequest request);

    /**
     * Reads a document.
     *
     * @param hold the caller closes it when it no longer needs the values
     */
    GetReply get(GetRequest request, ReadHold hold);

    VisitReply visit(VisitRequest request);
}
