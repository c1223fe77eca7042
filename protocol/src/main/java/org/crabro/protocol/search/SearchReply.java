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
