package org.crabro.container.dispatch;

import org.crabro.protocol.cluster.Partitions;

/**
 * The state of a content cluster.
 *
 * @param stateVersion sent with every request; a node with a newer state that no longer owns the
 *     partition rejects the request
 */
public record ClusterView(Partitions partitions, long stateVersion) {
    /** A cluster of one node, which owns every partition. */
    public static final ClusterView ONE_NODE = new ClusterView(Partitions.DEFAULT, 1);
}
