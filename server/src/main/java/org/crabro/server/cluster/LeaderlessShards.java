package org.crabro.server.cluster;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.NodeState;
import org.crabro.protocol.cluster.Replica;
import org.crabro.protocol.cluster.ShardState;

/**
 * For how long shards have had no leader, although the nodes of a majority of their replicas work.
 * An election takes some seconds. If it takes much longer, a replica neither leads nor votes, for a
 * reason that only a start of this replica removes. Not thread-safe.
 */
final class LeaderlessShards {
    /** A shard may be without a leader for this long. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** When each shard was seen without a leader first, or its replica was started again. */
    private final Map<Integer, Long> since = new HashMap<>();

    /**
     * Notes the state of a shard, and returns whether its replica on this node should be started
     * again. That is so at most once in each {@link #PATIENCE}.
     *
     * @param nowNanos by {@link System#nanoTime()}
     */
    boolean isDue(int shard, ClusterState state, long nowNanos) {
        if (!couldElect(state.shards().get(shard), state)) {
            since.remove(shard);
            return false;
        }
        Long begin = since.putIfAbsent(shard, nowNanos);
        if (begin == null || nowNanos - begin < PATIENCE.toNanos()) {
            return false;
        }
        since.put(shard, nowNanos);
        return true;
    }

    private static boolean couldElect(ShardState shard, ClusterState state) {
        long working = shard.voters().stream().filter(each -> works(each, state)).count();
        return shard.leader().isEmpty() && working > shard.voters().size() / 2;
    }

    private static boolean works(Replica voter, ClusterState state) {
        NodeState node = state.nodes().get(voter.node());
        return node != null
                && node.status() != NodeState.Status.DOWN
                && node.peer().equals(voter.peer());
    }
}
