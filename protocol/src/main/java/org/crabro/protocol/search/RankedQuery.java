package org.crabro.protocol.search;

import org.crabro.protocol.query.QueryNode;

/**
 * The condition on documents, and the computation of their scores.
 *
 * @param tree the condition
 * @param ranking the rank profile, and the changes of the request to it
 */
public record RankedQuery(QueryNode tree, RankSettings ranking) {
    /** Returns the same condition with another ranking. */
    public RankedQuery with(RankSettings other) {
        return new RankedQuery(tree, other);
    }
}
