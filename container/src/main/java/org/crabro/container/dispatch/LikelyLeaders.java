package org.crabro.container.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.crabro.protocol.feed.WriteReply;

/**
 * The nodes with the replicas of each partition. First comes the one that answered last, because
 * the cluster state learns of a new leader later than its clients. Safe for use by many threads.
 */
final class LikelyLeaders implements PartitionReplicas {
    private final PartitionReplicas replicas;
    private final ConcurrentMap<Integer, ClusterNodes> last = new ConcurrentHashMap<>();

    LikelyLeaders(PartitionReplicas replicas) {
        this.replicas = replicas;
    }

    @Override
    public List<ClusterNodes> of(int partition) {
        List<ClusterNodes> nodes = replicas.of(partition);
        ClusterNodes likely = last.get(partition);
        int index = likely == null ? 0 : nodes.indexOf(likely);
        if (index <= 0) {
            return nodes;
        }
        List<ClusterNodes> sorted = new ArrayList<>(nodes);
        sorted.addFirst(sorted.remove(index));
        return sorted;
    }

    /** Notes whether a node has answered as the leader of a partition. */
    void note(int partition, ClusterNodes nodes, boolean isLeader) {
        if (!isLeader) {
            last.remove(partition, nodes);
        } else if (!nodes.equals(last.get(partition))) {
            last.put(partition, nodes);
        }
    }

    /** Remembers the node that has answered a write, if it leads. */
    void note(int partition, ClusterNodes nodes, WriteReply reply) {
        note(
                partition,
                nodes,
                switch (reply) {
                    case WriteReply.WrongOwner _,
                            WriteReply.Unavailable _,
                            WriteReply.Uncertain _ ->
                            false;
                    case WriteReply.Stored _, WriteReply.Refused _ -> true;
                });
    }
}
