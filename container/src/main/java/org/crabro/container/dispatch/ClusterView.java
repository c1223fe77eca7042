package org.crabro.container.dispatch;

import org.crabro.protocol.cluster.Partitions;

/**
 * What dispatch knows of a content cluster's state.
 *
 * @param stateVersion sent with every request; a node that knows a newer state and is not the owner
 *     any more answers so
 */
public record ClusterView(Partitions partitions, long stateVersion) {
    /** A cluster of one node, which owns every partition. */
    public static final ClusterView ONE_NODE = new ClusterView(Partitions.DEFAULT, 1);
}
