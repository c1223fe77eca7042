package org.crabro.server;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.content.node.ContentService;
import org.crabro.protocol.cluster.NodeHealth;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.wire.RequestHeader;

/** A content node without documents, which replies as a test says. */
final class ScriptedNode implements ContentService {
    volatile Function<Write, WriteReply> writes = _ -> new WriteReply.Missing();

    /** The replies to a request; one for each write, unless a test says otherwise. */
    volatile Function<WriteRequest, List<WriteReply>> requests =
            request -> request.writes().stream().map(writes).toList();

    volatile Function<GetRequest, GetReply> gets = _ -> new GetReply.Missing();
    volatile Function<SearchRequest, SearchReply> searches = _ -> new SearchReply.Rejected("none");
    volatile Function<VisitRequest, VisitReply> visits = _ -> new VisitReply.Rejected("none");

    @Override
    public List<WriteReply> write(WriteRequest request) {
        return requests.apply(request);
    }

    @Override
    public WriteReply write(RequestHeader header, Write write, Optional<OperationId> id) {
        return write(new WriteRequest(header, write, id)).getFirst();
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
