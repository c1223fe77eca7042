package org.crabro.container.search;

import org.crabro.protocol.search.Coverage;

/**
 * The share of the documents of a query that was searched.
 *
 * @param nodes the number of content nodes that replied
 * @param clusters the number of content clusters that replied, each as often as it was searched
 * @param fullClusters the number of them with full coverage
 * @param missing the share of the searches whose nodes are unavailable, 0 to 1. The number of
 *     documents there is not known, so each counts as much as the average of the others
 */
public record ResultCoverage(
        Coverage documents, int nodes, int clusters, int fullClusters, double missing) {
    /** The coverage of searches that were all answered. */
    public ResultCoverage(Coverage documents, int nodes, int clusters, int fullClusters) {
        this(documents, nodes, clusters, fullClusters, 0);
    }

    /** Returns the coverage of two searches together. */
    ResultCoverage plus(ResultCoverage that) {
        return new ResultCoverage(
                documents.plus(that.documents),
                Math.max(nodes, that.nodes),
                clusters + that.clusters,
                fullClusters + that.fullClusters,
                Math.max(missing, that.missing));
    }

    /** Returns the percentage searched, rounded down; 100 if there is nothing to search. */
    public int percent() {
        double searched =
                documents.total() == 0
                        ? 1
                        : Math.min(1, (double) documents.documents() / documents.total());
        return (int) (100 * searched * (1 - missing));
    }

    /** Returns whether everything was searched. */
    public boolean isFull() {
        return missing == 0 && !documents.timedOut() && documents.documents() >= documents.total();
    }
}
