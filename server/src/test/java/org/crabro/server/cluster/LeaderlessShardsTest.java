package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.NodeAddresses;
import org.crabro.protocol.cluster.NodeState;
import org.crabro.protocol.cluster.NodeState.Status;
import org.crabro.protocol.cluster.Replica;
import org.crabro.protocol.cluster.ShardState;
import org.junit.jupiter.api.Test;

class LeaderlessShardsTest {
    private static final long PATIENCE = LeaderlessShards.PATIENCE.toNanos();
    private static final Optional<Integer> NONE = Optional.empty();

    private final LeaderlessShards shards = new LeaderlessShards();

    /** Returns a cluster whose nodes have the peers "0", "1" and "2", which are the voters. */
    private static ClusterState state(Optional<Integer> leader, Status... nodes) {
        var states = new TreeMap<Integer, NodeState>();
        List<Replica> voters = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            states.put(
                    i, new NodeState(nodes[i], Integer.toString(i), NodeAddresses.NONE, 1, false));
            voters.add(new Replica(i, Integer.toString(i)));
        }
        var shard = new ShardState(List.of(0, 1, 2), voters, 1, List.of(), 1, leader);
        return new ClusterState(1, states, List.of(shard, shard), Optional.empty());
    }

    @Test
    void startsAReplicaOfAShardThatHasBeenWithoutALeaderForLong() {
        ClusterState leaderless = state(NONE, Status.UP, Status.DOWN, Status.MAINTENANCE);

        assertThat(shards.isDue(0, leaderless, 5)).isFalse();
        assertThat(shards.isDue(0, leaderless, 5 + PATIENCE - 1)).isFalse();
        assertThat(shards.isDue(0, leaderless, 5 + PATIENCE)).isTrue();

        assertThat(shards.isDue(0, leaderless, 6 + PATIENCE)).as("once").isFalse();
        assertThat(shards.isDue(0, leaderless, 5 + 2 * PATIENCE)).as("again").isTrue();
        assertThat(shards.isDue(1, leaderless, 5 + 2 * PATIENCE)).as("another").isFalse();
    }

    @Test
    void forgetsAShardThatHasALeaderOrNoMajority() {
        ClusterState leaderless = state(NONE, Status.UP, Status.UP, Status.UP);
        for (ClusterState other :
                List.of(
                        state(Optional.of(1), Status.UP, Status.UP, Status.UP),
                        state(NONE, Status.DOWN, Status.DOWN, Status.UP),
                        lost(lost(leaderless, 0), 1))) {
            assertThat(shards.isDue(0, leaderless, 0)).isFalse();
            assertThat(shards.isDue(0, other, PATIENCE)).isFalse();
            assertThat(shards.isDue(0, leaderless, PATIENCE + 1)).isFalse();
            assertThat(shards.isDue(0, other, PATIENCE + 2)).isFalse();
        }
    }

    /** Returns a state in which a node has another peer, since it has lost its disk. */
    private static ClusterState lost(ClusterState state, int node) {
        var nodes = new TreeMap<>(state.nodes());
        nodes.put(node, new NodeState(Status.UP, "new", NodeAddresses.NONE, 1, false));
        return new ClusterState(state.version(), nodes, state.shards(), state.listeners());
    }
}
