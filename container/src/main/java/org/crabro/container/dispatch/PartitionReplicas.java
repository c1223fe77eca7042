package org.crabro.container.dispatch;

import java.util.List;

/** The nodes with the replicas of each partition of a content cluster, as far as is known. */
@FunctionalInterface
public interface PartitionReplicas {
    /**
     * Returns the nodes with replicas of a partition; the first one is most likely to lead. Empty
     * if none is known. Called before each attempt of a request.
     *
     * @param partition from 0
     */
    List<ClusterNodes> of(int partition);
}
