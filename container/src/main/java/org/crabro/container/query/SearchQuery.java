package org.crabro.container.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.HitPosition;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/**
 * A query, understood: searchers hand it on, or a new one in its place.
 *
 * @param maxItems a tree with more nodes is refused
 * @param targets the document types searched, at least one
 * @param sorting empty for by relevance, descending
 * @param hits how many to return, from {@code offset} on
 * @param page from which hit on they are returned
 * @param client queries of one client wait for each other more than for those of others
 * @param deadline fixed when the request came
 * @param softTimeout whether what was found so far is an answer when time runs out
 * @param traceLevel 0 for no trace
 * @param grouping what is made of all documents that match
 * @param collapse which hits are left out beside others
 * @param relatedTo the document that those found are to be like, if there is one
 * @param trace what understanding it has to tell, for people
 */
public record SearchQuery(
        QueryNode tree,
        int maxItems,
        List<Target> targets,
        List<SortKey> sorting,
        int hits,
        int offset,
        Page page,
        Principal principal,
        String client,
        Deadline deadline,
        boolean softTimeout,
        Presentation presentation,
        int traceLevel,
        GroupingSettings grouping,
        Collapse collapse,
        Optional<RelatedTo> relatedTo,
        List<TraceLine> trace) {
    public SearchQuery {
        targets = List.copyOf(targets);
        sorting = List.copyOf(sorting);
        trace = List.copyOf(trace);
    }

    /**
     * Where hits begin, besides the offset.
     *
     * @param isTold whether the answer says where the next page begins
     * @param after the last hit of the page before
     */
    public record Page(boolean isTold, Optional<HitPosition> after) {
        /** The first of pages that are counted. */
        public static final Page COUNTED = new Page(false, Optional.empty());
    }

    /** Returns the same query for {@code other} documents. */
    public SearchQuery withTree(QueryNode other) {
        return with(other, targets, hits, offset, deadline, trace);
    }

    /** Returns the same query for other hits. */
    public SearchQuery withWindow(int otherOffset, int otherHits) {
        return with(tree, targets, otherHits, otherOffset, deadline, trace);
    }

    /** Returns the same query of other document types, or of these otherwise. */
    public SearchQuery withTargets(List<Target> others) {
        return with(tree, others, hits, offset, deadline, trace);
    }

    /** Returns the same query with another deadline. */
    public SearchQuery withDeadline(Deadline other) {
        return with(tree, targets, hits, offset, other, trace);
    }

    /** Returns the same query with more to tell of how it was understood. */
    public SearchQuery tracing(List<TraceLine> more) {
        return with(
                tree,
                targets,
                hits,
                offset,
                deadline,
                Stream.concat(trace.stream(), more.stream()).toList());
    }

    /**
     * Returns a query by the same sender, in the same time, for the first by its id of the
     * documents that match {@code source}.
     *
     * @param searched those of the targets that are searched
     * @param field what its hit brings besides
     */
    public SearchQuery lookingUp(QueryNode source, List<Target> searched, String field) {
        var plain = new ArrayList<Target>();
        for (Target target : searched) {
            plain.add(target.lookingUp(field));
        }
        return new SearchQuery(
                source,
                maxItems,
                plain,
                List.of(new SortKey.DocumentIds(true)),
                1,
                0,
                Page.COUNTED,
                principal,
                client,
                deadline,
                softTimeout,
                presentation,
                0,
                GroupingSettings.NONE,
                Collapse.NONE,
                Optional.empty(),
                List.of());
    }

    private SearchQuery with(
            QueryNode otherTree,
            List<Target> otherTargets,
            int otherHits,
            int otherOffset,
            Deadline otherDeadline,
            List<TraceLine> otherTrace) {
        return new SearchQuery(
                otherTree,
                maxItems,
                otherTargets,
                sorting,
                otherHits,
                otherOffset,
                page,
                principal,
                client,
                otherDeadline,
                softTimeout,
                presentation,
                traceLevel,
                grouping,
                collapse,
                relatedTo,
                otherTrace);
    }
}
