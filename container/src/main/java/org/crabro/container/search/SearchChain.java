package org.crabro.container.search;

import java.util.List;

/** Searchers in the order in which they see a query; the last one answers it. */
public final class SearchChain implements Searcher.Execution {
    private final Searcher.Execution first;

    public SearchChain(List<Searcher> searchers) {
        Searcher.Execution next =
                _ -> {
                    throw new IllegalStateException("the last searcher handed its query on");
                };
        for (Searcher searcher : searchers.reversed()) {
            Searcher.Execution behind = next;
            next = query -> searcher.search(query, behind);
        }
        first = next;
    }

    @Override
    public Result search(Query query) {
        return first.search(query);
    }
}
