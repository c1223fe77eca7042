package org.crabro.container.search;

import java.util.List;
import org.crabro.container.query.SearchQuery;

/** The steps of a search in their order. The last one returns a result without a next step. */
public final class SearchChain implements SearchStep.Execution {
    private final SearchStep.Execution first;

    public SearchChain(List<SearchStep> searchers) {
        SearchStep.Execution next =
                _ -> {
                    throw new IllegalStateException("the last searcher handed its query on");
                };
        for (SearchStep searcher : searchers.reversed()) {
            SearchStep.Execution behind = next;
            next = query -> searcher.search(query, behind);
        }
        first = next;
    }

    @Override
    public SearchResult search(SearchQuery query) {
        return first.search(query);
    }
}
