package org.crabro.protocol.search;

import java.util.ArrayList;
import java.util.List;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupingRequest;

/** The reply of a node to a {@link SearchRequest}. */
public sealed interface SearchReply {
    /**
     * A result, possibly partial. The results of disjoint partitions can be merged.
     *
     * @param hits the best, in order
     * @param totalCount the exact number of matching documents
     * @param groups the root of each grouping of the request, in order; empty if it was not
     *     answered. In replies that will be merged, groups are complete
     */
    record Found(
            List<SearchHit> hits,
            long totalCount,
            List<Group<SearchHit>> groups,
            SearchReport report)
            implements SearchReply {
        public Found {
            groups = List.copyOf(groups);
            hits = List.copyOf(hits);
        }

        /**
         * Merges the results of disjoint parts, without groups; {@link #mergeGroups} merges these.
         *
         * @param sorting the sorting of the request
         * @param limit the maximum number of hits
         */
        public static Found merge(List<Found> parts, List<SortKey> sorting, int limit) {
            SearchReport report = SearchReport.NONE;
            long totalCount = 0;
            for (Found part : parts) {
                report = report.plus(part.report);
                totalCount += part.totalCount;
            }
            return new Found(
                    parts.stream()
                            .flatMap(part -> part.hits.stream())
                            .sorted(new HitOrder(sorting))
                            .limit(limit)
                            .toList(),
                    totalCount,
                    List.of(),
                    report);
        }

        /**
         * Merges the groups of disjoint parts.
         *
         * @param requests the groupings of the request
         * @param sorting the sorting of the request
         */
        public static List<Group<SearchHit>> mergeGroups(
                List<Found> parts, List<GroupingRequest> requests, List<SortKey> sorting) {
            List<Group<SearchHit>> merged = List.of();
            for (Found part : parts) {
                merged =
                        merged.isEmpty() || part.groups.isEmpty()
                                ? merged.isEmpty() ? part.groups : merged
                                : merged(merged, part.groups, requests, new HitOrder(sorting));
            }
            return merged;
        }

        private static List<Group<SearchHit>> merged(
                List<Group<SearchHit>> a,
                List<Group<SearchHit>> b,
                List<GroupingRequest> requests,
                HitOrder order) {
            var merged = new ArrayList<Group<SearchHit>>();
            for (int i = 0; i < requests.size(); i++) {
                merged.add(a.get(i).plus(b.get(i), requests.get(i).root(), order));
            }
            return merged;
        }
    }

    /** The request is not valid; the reason is sent to the client. */
    record Rejected(String reason) implements SearchReply {}

    /** Time ran out before anything was found, or the request does not permit partial results. */
    record TimedOut() implements SearchReply {}

    /** Too many searches are waiting. The reason is sent to the client, which may try again. */
    record Overloaded(String reason) implements SearchReply {}

    /** The node is not the owner of a partition in its own cluster state. */
    record WrongOwner(long stateVersion) implements SearchReply {}

    /** The node could not read. The reason names the file, the offset and the cause. */
    record Failed(String reason) implements SearchReply {}

    /** No reply: the node cannot be reached, or refuses the sender. */
    record Unavailable(String reason) implements SearchReply {}
}
