package org.crabro.server;

import java.util.function.Function;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.content.node.ContentService;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.protocol.feed.FeedBatchReply;
import org.crabro.protocol.feed.FeedBatchRequest;
import org.crabro.protocol.feed.FeedReply;
import org.crabro.protocol.feed.FeedRequest;
import org.crabro.protocol.feed.FeedRowRequest;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.RemoveGroupRequest;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;

/** A content node without documents, which replies as a test says. */
final class ScriptedNode implements ContentService {
    volatile Function<FeedRequest, FeedReply> feeds = _ -> new FeedReply.Missing();
    volatile Function<FeedRowRequest, FeedReply> rows = _ -> new FeedReply.Missing();
    volatile Function<FeedBatchRequest, FeedBatchReply> batches =
            request ->
                    new FeedBatchReply(
                            request.writes().stream()
                                    .<FeedReply>map(_ -> new FeedReply.Missing())
                                    .toList());
    volatile Function<RemoveGroupRequest, FeedReply> removals = _ -> new FeedReply.Missing();
    volatile Function<GetRequest, GetReply> gets = _ -> new GetReply.Missing();
    volatile Function<SearchRequest, SearchReply> searches = _ -> new SearchReply.Rejected("none");
    volatile Function<VisitRequest, VisitReply> visits = _ -> new VisitReply.Rejected("none");

    @Override
    public FeedReply feed(FeedRequest request) {
        return feeds.apply(request);
    }

    @Override
    public FeedReply feed(FeedRowRequest request) {
        return rows.apply(request);
    }

    @Override
    public FeedBatchReply feed(FeedBatchRequest request) {
        return batches.apply(request);
    }

    @Override
    public FeedReply removeGroup(RemoveGroupRequest request) {
        return removals.apply(request);
    }

    @Override
    public GetReply get(GetRequest request, ReadHold hold) {
        return gets.apply(request);
    }

    @Override
    public SearchReply search(SearchRequest request) {
        return searches.apply(request);
    }

    @Override
    public VisitReply visit(VisitRequest request) {
        return visits.apply(request);
    }

    @Override
    public void activate(ApplicationModel model) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean hasDocuments(String documentType) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long documentsWith(String documentType, String path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public NodeHealth health() {
        return NodeHealth.UP;
    }

    @Override
    public void close() {}
}
