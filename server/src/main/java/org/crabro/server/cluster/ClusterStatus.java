package org.crabro.server.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.crabro.config.services.Topology;
import org.crabro.container.admin.ClusterAdmin;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.ClusterState.ShardMove;
import org.crabro.protocol.cluster.NodeReport;
import org.crabro.protocol.cluster.NodeReport.ShardReport;
import org.crabro.protocol.cluster.Replica;
import org.crabro.server.cluster.ClusterController.ReportedHost;
import tools.jackson.databind.node.ObjectNode;

/** Shows what a config server knows, and takes the orders of operators. */
record ClusterStatus(ClusterController controller, Supplier<List<ConfigHost>> configServers)
        implements ClusterAdmin {
    /** The whole status, as JSON. */
    private record Status(
            String cluster,
            long generation,
            int format,
            List<ConfigHost> configServers,
            List<ReportedHost> hosts,
            List<ObjectNode> contents) {}

    /**
     * A host with a config server.
     *
     * @param isUp whether it answers the others
     * @param isVoting whether its data directory counts for majorities; not so when it is new
     */
    record ConfigHost(String name, boolean isUp, boolean isVoting, boolean isLeader) {}

    /**
     * What the state of a content cluster does not name.
     *
     * @param name of the content cluster
     */
    private record Content(
            String name,
            List<ShardMove> moves,
            List<ShardCopy> copies,
            List<MissingReplica> missing) {}

    /** A replica that a node gets. */
    private record ShardCopy(int node, int shard, int from, long copiedBytes, long bytes) {}

    /** A replica that a node should have, and does not. The node works. */
    private record MissingReplica(int node, int shard) {}

    private static ObjectNode content(
            String name, ClusterState state, SortedMap<Integer, NodeReport> reports) {
        var content = new Content(name, state.moves(), copies(reports), missing(state, reports));
        return ClusterJson.object(content).setAll(ClusterJson.object(state));
    }

    private static List<ShardCopy> copies(SortedMap<Integer, NodeReport> reports) {
        List<ShardCopy> copies = new ArrayList<>();
        for (NodeReport report : reports.values()) {
            for (ShardReport shard : report.shards()) {
                shard.copy()
                        .ifPresent(copy ->
                                copies.add(
                                        new ShardCopy(
                                                report.node(),
                                                shard.shard(),
                                                copy.from(),
                                                copy.copiedBytes(),
                                                copy.bytes())));
            }
        }
        return copies;
    }

    private static List<MissingReplica> missing(
            ClusterState state, SortedMap<Integer, NodeReport> reports) {
        List<MissingReplica> missing = new ArrayList<>();
        for (int shard = 0; shard < state.shards().size(); shard++) {
            for (Replica replica : state.members(shard)) {
                NodeReport report = reports.get(replica.node());
                if (report != null && !hasReplica(report, replica, shard)) {
                    missing.add(new MissingReplica(replica.node(), shard));
                }
            }
        }
        return missing;
    }

    private static boolean hasReplica(NodeReport report, Replica replica, int shard) {
        return report.peer().equals(replica.peer())
                && report.shards().stream().anyMatch(each -> each.shard() == shard);
    }

    @Override
    public byte[] json() {
        Topology topology = controller.topology();
        List<ObjectNode> contents = new ArrayList<>();
        for (Map.Entry<String, ClusterState> each : controller.states().entrySet()) {
            ClusterState state = each.getValue();
            // A cluster that was removed from the application may still have documents.
            if (topology.contents().containsKey(each.getKey()) || !state.nodes().isEmpty()) {
                contents.add(content(each.getKey(), state, controller.reports(each.getKey())));
            }
        }
        return ClusterJson.write(
                new Status(
                        controller.clusterId(),
                        controller.generation(),
                        controller.format(),
                        configServers.get(),
                        controller.hosts(),
                        contents));
    }

    @Override
    public boolean maintain(String host, boolean begins) throws IOException {
        return controller.maintain(host, begins);
    }
}
