package org.crabro.protocol.search;

import java.util.List;

/** What a node answers to a {@link SearchRequest}. */
public sealed interface SearchReply {
    /**
     * A partial result; those of disjoint partitions merge into one.
     *
     * @param hits the best, in order
     * @param totalCount how many documents matched, exact
     * @param warnings problems that left the rest of the answer right, such as an unknown sort
     *     field
     * @param trace lines for people, empty unless asked for
     */
    record Found(
            List<Hit> hits,
            long totalCount,
            Coverage coverage,
            QueryCost cost,
            List<String> warnings,
            List<String> trace)
            implements SearchReply {
        public Found {
            hits = List.copyOf(hits);
            warnings = List.copyOf(warnings);
            trace = List.copyOf(trace);
        }

        /**
         * Returns what was found in disjoint parts taken together.
         *
         * @param sorting the request's
         * @param limit how many of the best hits are kept
         */
        public static Found merge(List<Found> parts, List<SortKey> sorting, int limit) {
            var coverage = new Coverage(0, 0, false);
            var cost = QueryCost.NONE;
            long totalCount = 0;
            for (Found part : parts) {
                coverage = coverage.plus(part.coverage);
                cost = cost.plus(part.cost);
                totalCount += part.totalCount;
            }
            return new Found(
                    parts.stream()
                            .flatMap(part -> part.hits.stream())
                            .sorted(new HitOrder(sorting))
                            .limit(limit)
                            .toList(),
                    totalCount,
                    coverage,
                    cost,
                    parts.stream().flatMap(part -> part.warnings.stream()).distinct().toList(),
                    parts.stream().flatMap(part -> part.trace.stream()).toList());
        }
    }

    /** The request cannot be answered as it is; the reason is for the client. */
    record Rejected(String reason) implements SearchReply {}

    /** Time ran out before anything was found, or partial answers were not wanted. */
    record TimedOut() implements SearchReply {}

    /** The node does not own a partition by the state it knows. */
    record WrongOwner(long stateVersion) implements SearchReply {}

    /** The node could not read: which file, where, why. */
    record Failed(String reason) implements SearchReply {}
}
