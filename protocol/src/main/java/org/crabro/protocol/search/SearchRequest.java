package org.crabro.protocol.search;

import java.util.List;
import java.util.Optional;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Asks one content node to search one document type.
 *
 * @param partitions those to read, from 0
 * @param documentType the schema's name
 * @param hits how many of the best to return, offset included; 0 for a count alone
 * @param sorting empty for by relevance, descending
 * @param softTimeout whether what was found so far is an answer when time runs out
 * @param traceLevel 0 for no trace
 * @param atLeast positions that the node must have reached before it reads
 * @param grouping what is made of all documents that match, besides the best hits
 * @param after the hit behind which those come that are returned; what is counted and grouped is
 *     what it is without
 */
public record SearchRequest(
        RequestHeader header,
        List<Integer> partitions,
        String documentType,
        Scope scope,
        QueryNode tree,
        RankSettings ranking,
        List<SortKey> sorting,
        int hits,
        SummarySettings summary,
        boolean softTimeout,
        int traceLevel,
        List<PartitionPosition> atLeast,
        GroupingSettings grouping,
        Optional<HitPosition> after) {
    public SearchRequest {
        partitions = List.copyOf(partitions);
        sorting = List.copyOf(sorting);
        atLeast = List.copyOf(atLeast);
    }

    /** Returns the same request with other limits of ranking. */
    public SearchRequest with(RankLimits limits) {
        return with(ranking.with(limits));
    }

    /** Returns the same request, ranked otherwise. */
    public SearchRequest with(RankSettings other) {
        return with(other, summary, after);
    }

    /** Returns the same request for hits that are shown otherwise. */
    public SearchRequest with(SummarySettings other) {
        return with(ranking, other, after);
    }

    /** Returns the same request for hits behind another one. */
    public SearchRequest after(HitPosition position) {
        return with(ranking, summary, Optional.of(position));
    }

    private SearchRequest with(
            RankSettings newRanking, SummarySettings newSummary, Optional<HitPosition> newAfter) {
        return new SearchRequest(
                header,
                partitions,
                documentType,
                scope,
                tree,
                newRanking,
                sorting,
                hits,
                newSummary,
                softTimeout,
                traceLevel,
                atLeast,
                grouping,
                newAfter);
    }
}
