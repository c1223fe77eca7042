package org.crabro.server.cluster;

import java.util.Optional;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.ClusterState.ShardMove;
import org.crabro.protocol.cluster.NodeState;
import org.crabro.protocol.cluster.NodeState.Status;
import org.crabro.protocol.cluster.Replica;
import org.crabro.protocol.cluster.ShardState;

/**
 * The choice of the replica that should lead a shard.
 *
 * @param self the replica that leads it now
 * @param state of its content cluster
 * @param parents the state of the global cluster of the content cluster, if it has one
 */
record LeaderChoice(Replica self, ClusterState state, Optional<ClusterState> parents) {
    /**
     * Returns the peer that should lead instead of this one; empty if this one should go on.
     *
     * @param move the change of the replicas of the shard that should be made now
     */
    Optional<String> better(ShardState shard, Optional<ShardMove> move) {
        int key = self.node();
        boolean isLeaving =
                status(key) == Status.MAINTENANCE
                        || move.filter(each -> !each.voters().contains(self)).isPresent();
        int preferred = shard.desired().isEmpty() ? key : shard.desired().getFirst();
        if (!isLeaving && (move.isPresent() || preferred == key || !isWhole(preferred))) {
            return Optional.empty();
        }
        return shard.voters().stream()
                .filter(voter -> voter.node() != key && status(voter.node()) == Status.UP)
                .filter(voter -> move.isEmpty() || move.get().voters().contains(voter))
                .filter(voter -> isLeaving || voter.node() == preferred)
                .sorted((a, b) -> Boolean.compare(b.node() == preferred, a.node() == preferred))
                .map(Replica::peer)
                .findFirst();
    }

    /**
     * Returns whether a node works, and has all its replicas and the parents of their documents.
     */
    private boolean isWhole(int node) {
        return state.isWhole(node) && parents.filter(each -> !each.isWhole(node)).isEmpty();
    }

    private Status status(int node) {
        NodeState nodeState = state.nodes().get(node);
        return nodeState == null ? Status.DOWN : nodeState.status();
    }
}
