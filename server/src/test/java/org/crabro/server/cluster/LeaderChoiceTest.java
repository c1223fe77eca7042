package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.ClusterState.ShardMove;
import org.crabro.protocol.cluster.NodeAddresses;
import org.crabro.protocol.cluster.NodeState;
import org.crabro.protocol.cluster.NodeState.Status;
import org.crabro.protocol.cluster.Replica;
import org.crabro.protocol.cluster.ShardListeners;
import org.crabro.protocol.cluster.ShardState;
import org.junit.jupiter.api.Test;

class LeaderChoiceTest {
    private static final Replica FIRST = new Replica(0, "a-1");
    private static final Replica SECOND = new Replica(1, "b-1");

    @Test
    void prefersTheFirstDesiredNode() {
        assertThat(choice(FIRST, Optional.empty())).isEmpty();
        assertThat(choice(SECOND, Optional.empty())).contains("a-1");
    }

    @Test
    void handsOverToNoNodeWithoutAllParents() {
        ClusterState parents = state(List.of(SECOND), Optional.of(List.of(listeners())));
        assertThat(choice(SECOND, Optional.of(parents))).isEmpty();

        ClusterState whole = state(List.of(SECOND), Optional.of(List.of(listeners(FIRST))));

        assertThat(choice(SECOND, Optional.of(whole))).contains("a-1");
    }

    @Test
    void handsOverBeforeItsReplicaGoes() {
        ClusterState state = state(List.of(FIRST, SECOND), Optional.empty());
        var move = new ShardMove(0, List.of(SECOND), List.of(), List.of());

        assertThat(
                        new LeaderChoice(FIRST, state, Optional.empty())
                                .better(state.shards().getFirst(), Optional.of(move)))
                .contains("b-1");
    }

    private static Optional<String> choice(Replica leader, Optional<ClusterState> parents) {
        ClusterState state = state(List.of(FIRST, SECOND), Optional.empty());
        return new LeaderChoice(leader, state, parents)
                .better(state.shards().getFirst(), Optional.empty());
    }

    private static ShardListeners listeners(Replica... replicas) {
        return new ShardListeners(List.of(0), List.of(replicas));
    }

    private static ClusterState state(
            List<Replica> voters, Optional<List<ShardListeners>> listeners) {
        var nodes = new TreeMap<Integer, NodeState>();
        for (Replica each : List.of(FIRST, SECOND)) {
            nodes.put(
                    each.node(),
                    new NodeState(Status.UP, each.peer(), NodeAddresses.NONE, 1, false));
        }
        return new ClusterState(
                1,
                nodes,
                List.of(
                        new ShardState(
                                voters.stream().map(Replica::node).toList(),
                                voters,
                                0,
                                List.of(),
                                1,
                                Optional.empty())),
                listeners);
    }
}
