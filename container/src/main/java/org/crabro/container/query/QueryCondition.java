package org.crabro.container.query;

import java.util.Optional;
import org.crabro.protocol.query.QueryNode;

/**
 * The documents that a query matches.
 *
 * @param maxItems the largest number of nodes that the tree may have
 * @param relatedTo the document to which hits are similar; empty if the query names none
 */
public record QueryCondition(QueryNode tree, int maxItems, Optional<RelatedTo> relatedTo) {
    QueryCondition with(QueryNode other) {
        return new QueryCondition(other, maxItems, relatedTo);
    }
}
