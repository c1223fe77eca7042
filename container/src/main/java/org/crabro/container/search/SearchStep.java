package org.crabro.container.search;

import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.SearchQuery;

/**
 * A step between a query and its result: it may refuse the query, hand another one on, or change
 * what comes back. Used by many requests at once.
 */
public interface SearchStep {
    /**
     * Answers {@code query}, with the help of those behind it.
     *
     * @throws IllegalQueryException if the query cannot be answered as it is
     */
    SearchResult search(SearchQuery query, Execution next);

    /** The rest of the chain. */
    interface Execution {
        SearchResult search(SearchQuery query);
    }
}
