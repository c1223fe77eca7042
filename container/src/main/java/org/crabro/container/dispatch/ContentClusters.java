package org.crabro.container.dispatch;

import org.crabro.protocol.cluster.NodeHealth;

/**
 * The nodes of all content clusters. Each cluster has its own copy of a document type; two clusters
 * never share the copy of one type, but copies of different types may be on the same nodes.
 */
public interface ContentClusters {
    /**
     * Returns the nodes with the documents of a type in a cluster.
     *
     * @throws IllegalArgumentException if the cluster does not store the type
     */
    ClusterNodes nodes(String cluster, String documentType);

    /** Returns whether all nodes accept writes, and their other problems. */
    NodeHealth health();
}
