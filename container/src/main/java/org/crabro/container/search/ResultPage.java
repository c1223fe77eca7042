package org.crabro.container.search;

import java.util.List;
import java.util.Optional;

/**
 * A page of hits.
 *
 * @param totalCount the number of documents that matched
 * @param next the value of the parameter {@code after} for the next page; empty if there is none
 */
public record ResultPage(List<ResultHit> hits, long totalCount, Optional<String> next) {
    /** No hits. */
    static final ResultPage EMPTY = new ResultPage(List.of(), 0, Optional.empty());

    public ResultPage {
        hits = List.copyOf(hits);
    }
}
