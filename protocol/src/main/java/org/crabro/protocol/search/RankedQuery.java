package org.crabro.protocol.search;

import org.crabro.protocol.query.QueryNode;

/**
 * Which documents match, and how their scores are computed.
 *
 * @param tree the condition
 * @param ranking the rank profile, and what the request changes in it
 */
public record RankedQuery(QueryNode tree, RankSettings ranking) {
    /** Returns the same condition with another ranking. */
    public RankedQuery with(RankSettings other) {
        return new RankedQuery(tree, other);
    }
}
