package org.crabro.container.search;

import java.util.List;

/** Searchers in the order in which they see a query; the last one answers it. */
public final class SearchChain implements Searcher.Execution {
    private final List<Searcher> searchers;

    public SearchChain(List<Searcher> searchers) {
        this.searchers = List.copyOf(searchers);
    }

    @Override
    public Result search(Query query) {
        return from(0).search(query);
    }

    private Searcher.Execution from(int index) {
        if (index == searchers.size()) {
            return _ -> {
                throw new IllegalStateException("the last searcher handed its query on");
            };
        }
        return query -> searchers.get(index).search(query, from(index + 1));
    }
}
