package org.crabro.container.search;

import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.SearchQuery;

/**
 * A step between a query and its result. It may reject the query, pass another query on, or change
 * the result. Many threads use a step concurrently.
 */
public interface SearchStep {
    /**
     * Returns the result of {@code query}.
     *
     * @param next the rest of the chain
     * @throws IllegalQueryException if the query is wrong
     */
    SearchResult search(SearchQuery query, Execution next);

    /** The rest of the chain. */
    interface Execution {
        SearchResult search(SearchQuery query);
    }
}
