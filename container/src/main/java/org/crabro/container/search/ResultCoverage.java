package org.crabro.container.search;

import org.crabro.protocol.search.Coverage;

/**
 * The share of the documents of a query that was searched.
 *
 * @param nodes the number of content nodes that replied
 * @param clusters the number of content clusters that replied, each as often as it was searched
 * @param fullClusters the number of them with full coverage
 */
public record ResultCoverage(Coverage documents, int nodes, int clusters, int fullClusters) {
    /** Returns the coverage of two searches together. */
    ResultCoverage plus(ResultCoverage that) {
        return new ResultCoverage(
                documents.plus(that.documents),
                Math.max(nodes, that.nodes),
                clusters + that.clusters,
                fullClusters + that.fullClusters);
    }

    /** Returns the percentage searched, rounded down; 100 if there is nothing to search. */
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
