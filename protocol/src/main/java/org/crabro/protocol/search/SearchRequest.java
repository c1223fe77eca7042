package org.crabro.protocol.search;

import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks one content node to search one document type.
 *
 * @param scope the documents to search
 * @param query the condition and the score
 * @param hits the hits to return
 * @param grouping the groups to make of all documents that match
 * @param reply whether the reply may be partial, and its trace
 */
public record SearchRequest(
        RequestHeader header,
        SearchScope scope,
        RankedQuery query,
        HitSettings hits,
        GroupingSettings grouping,
        ReplySettings reply) {

    /** Returns the same request with other limits of ranking. */
    public SearchRequest with(RankLimits limits) {
        return with(query.ranking().with(limits));
    }

    /** Returns the same request with another ranking. */
    public SearchRequest with(RankSettings ranking) {
        return new SearchRequest(header, scope, query.with(ranking), hits, grouping, reply);
    }

    /** Returns the same request with another summary of each hit. */
    public SearchRequest with(SummarySettings summary) {
        return with(hits.with(summary));
    }

    /** Returns the same request for hits after a position. */
    public SearchRequest after(HitPosition position) {
        return with(hits.after(position));
    }

    /** Returns the same request with other settings of the reply. */
    public SearchRequest with(ReplySettings other) {
        return new SearchRequest(header, scope, query, hits, grouping, other);
    }

    private SearchRequest with(HitSettings otherHits) {
        return new SearchRequest(header, scope, query, otherHits, grouping, reply);
    }

    /** Returns the same request with another header. */
    public SearchRequest with(RequestHeader other) {
        return new SearchRequest(other, scope, query, hits, grouping, reply);
    }
}
