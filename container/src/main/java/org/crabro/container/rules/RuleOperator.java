package org.crabro.container.rules;

import java.util.List;
import org.crabro.protocol.query.QueryNode;

/** The operators whose parts rules see and change. */
public enum RuleOperator {
    AND,
    OR,
    WEAK_AND,
    /** The first part must match, and none of the others. */
    WITHOUT,
    /** The first part must match, and the others add to the score. */
    RANK;

    QueryNode of(List<QueryNode> parts) {
        return switch (this) {
            case AND -> new QueryNode.And(parts);
            case OR -> new QueryNode.Or(parts);
            case WEAK_AND -> new QueryNode.WeakAnd(parts);
            case WITHOUT -> new QueryNode.Without(parts.getFirst(), parts.subList(1, parts.size()));
            case RANK -> new QueryNode.Rank(parts.getFirst(), parts.subList(1, parts.size()));
        };
    }

    /** Returns whether the first part has another meaning than the others. */
    boolean hasMain() {
        return this == WITHOUT || this == RANK;
    }
}
