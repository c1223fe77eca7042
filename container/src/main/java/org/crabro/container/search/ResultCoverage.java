package org.crabro.container.search;

import org.crabro.protocol.search.Coverage;

/**
 * How much of what a query is about was searched.
 *
 * @param nodes how many content nodes answered
 * @param clusters how many content clusters answered
 * @param fullClusters how many of them answered in full
 */
public record ResultCoverage(Coverage documents, int nodes, int clusters, int fullClusters) {
    /** Returns the coverage of two questions taken together. */
    ResultCoverage plus(ResultCoverage that) {
        return new ResultCoverage(
                documents.plus(that.documents),
                Math.max(nodes, that.nodes),
                Math.max(clusters, that.clusters),
                Math.min(fullClusters, that.fullClusters));
    }

    /** Returns the percentage searched, rounded down; 100 where there is nothing to search. */
    public int percent() {
        return documents.total() == 0
                ? 100
                : (int) Math.min(100, 100.0 * documents.documents() / documents.total());
    }

    /** Returns whether everything was searched. */
    public boolean isFull() {
        return !documents.timedOut() && documents.documents() >= documents.total();
    }
}
