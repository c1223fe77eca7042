package org.crabro.protocol.search;

import java.util.ArrayList;
import java.util.List;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupingRequest;

/** What a node answers to a {@link SearchRequest}. */
public sealed interface SearchReply {
    /**
     * A partial result; those of disjoint partitions merge into one.
     *
     * @param hits the best, in order
     * @param totalCount how many documents matched, exact
     * @param groups the root of each grouping of the request, in its order; empty where it was not
     *     answered. Answers to be merged have them whole
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
         * Returns what was found in disjoint parts taken together, groups left out: {@link
         * #mergeGroups} has them.
         *
         * @param sorting the request's
         * @param limit how many of the best hits are kept
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
         * Returns the groups of disjoint parts taken together.
         *
         * @param requests what was asked for
         * @param sorting the request's
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

    /** The request cannot be answered as it is; the reason is for the client. */
    record Rejected(String reason) implements SearchReply {}

    /** Time ran out before anything was found, or partial answers were not wanted. */
    record TimedOut() implements SearchReply {}

    /** Too many searches wait already; the reason is for the client, which tries again. */
    record Overloaded(String reason) implements SearchReply {}

    /** The node does not own a partition by the state it knows. */
    record WrongOwner(long stateVersion) implements SearchReply {}

    /** The node could not read: which file, where, why. */
    record Failed(String reason) implements SearchReply {}
}
