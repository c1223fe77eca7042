package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.config.services.Topology;
import org.crabro.config.services.Topology.ContentHost;
import org.crabro.config.services.Topology.ContentNodes;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.NodeAddresses;
import org.crabro.protocol.cluster.NodeReport;
import org.crabro.protocol.cluster.NodeReport.NodeLoad;
import org.crabro.protocol.cluster.NodeState;
import org.crabro.protocol.cluster.NodeState.Status;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterControllerTest {
    private static final Topology THREE =
            new Topology(
                    Set.of("h1", "h2", "h3"),
                    List.of("h1"),
                    Map.of("web", List.of("h1", "h2")),
                    Map.of(
                            "mails",
                            new ContentNodes(
                                    2,
                                    new TreeMap<>(
                                            Map.of(
                                                    0, new ContentHost("h1", 1),
                                                    1, new ContentHost("h2", 1),
                                                    2, new ContentHost("h3", 1))))));

    @TempDir Path directory;
    private long nanos;
    private long millis;
    private ClusterController controller;

    @BeforeEach
    void open() throws IOException {
        controller =
                ClusterController.open(
                        directory.resolve("cluster.json"),
                        "h1",
                        () -> nanos,
                        () -> Instant.ofEpochMilli(millis));
    }

    @Test
    void formsACluster() throws IOException {
        assertThat(controller.unknownHosts(THREE)).containsExactly("h1", "h2", "h3");
        form();
        assertThat(controller.unknownHosts(THREE)).isEmpty();

        ConfigReply reply = report("h3", 1, 2);

        assertThat(reply.generation()).isEqualTo(7);
        assertThat(mails(reply).shards())
                .hasSize(8)
                .allSatisfy(shard -> assertThat(shard.voters()).hasSize(3));
        assertThat(mails(reply).nodes().values())
                .extracting(NodeState::status)
                .containsOnly(Status.UP);
    }

    private void form() throws IOException {
        for (String host : List.of("h1", "h2", "h3")) {
            report(host, 1);
        }
        controller.activate(7, THREE);
        report("h1", 1, 0);
        report("h2", 1, 1);
        report("h3", 1, 2);
    }

    @Test
    void keepsItsDecisionsOverARestart() throws IOException {
        form();
        ClusterState before = controller.states().get("mails");
        String id = controller.clusterId();

        open();

        assertThat(controller.clusterId()).isEqualTo(id);
        controller.activate(7, THREE);
        assertThat(controller.states().get("mails")).as("before anybody reports").isEqualTo(before);
        nanos += 4_000_000_000L;
        controller.look();
        assertThat(controller.states().get("mails"))
                .isNotNull()
                .satisfies(state ->
                        assertThat(state.nodes().values())
                                .extracting(NodeState::status)
                                .containsOnly(Status.DOWN));
    }

    @Test
    void noticesAHostThatIsSilent() throws IOException {
        form();
        nanos += 2_900_000_000L;
        report("h1", 1, 0);
        report("h2", 1, 1);
        assertThat(statuses()).containsExactly(Status.UP, Status.UP, Status.UP);
        nanos += 200_000_000L;

        controller.look();

        assertThat(statuses()).containsExactly(Status.UP, Status.UP, Status.DOWN);
        report("h3", 1, 2);
        assertThat(statuses()).containsExactly(Status.UP, Status.UP, Status.UP);
    }

    @Test
    void putsAHostIntoMaintenance() throws IOException {
        form();

        assertThat(controller.maintain("h2", true)).isTrue();
        assertThat(statuses()).containsExactly(Status.UP, Status.MAINTENANCE, Status.UP);
        assertThat(controller.maintain("h2", false)).isTrue();
        assertThat(statuses()).containsExactly(Status.UP, Status.UP, Status.UP);
        assertThat(controller.maintain("h9", true)).isFalse();
    }

    /** The nodes report that it is 0 ms after the epoch. */
    @Test
    void letsNodesWithAWrongClockLeadNothing() throws IOException {
        form();
        millis = 10_000;
        report("h2", 1, 1);
        assertThat(statuses()).containsExactly(Status.UP, Status.UP, Status.UP);

        millis = 10_001;
        report("h2", 1, 1);
        assertThat(statuses()).containsExactly(Status.UP, Status.MAINTENANCE, Status.UP);
        millis = -10_001;
        report("h3", 1, 2);
        assertThat(statuses()).containsExactly(Status.UP, Status.MAINTENANCE, Status.MAINTENANCE);

        millis = 3;
        report("h2", 1, 1);
        report("h3", 1, 2);
        assertThat(statuses()).containsExactly(Status.UP, Status.UP, Status.UP);
    }

    @Test
    void refusesStrangers() throws IOException {
        form();
        assertThat(report("h2", 2, 1).refusal())
                .isEqualTo("another process reports as host 'h2'; give each its own --host");
        nanos += 4_000_000_000L;
        assertThat(report("h2", 2, 1).refusal()).as("the other has ended").isEmpty();

        ConfigReply other = controller.report(new HostReport("h3", 1, "x", 0, 0, new TreeMap<>()));

        assertThat(other.refusal())
                .isEqualTo(
                        "the data directory of host 'h3' belongs to cluster x, but this is cluster "
                                + controller.clusterId());
    }

    @Test
    void givesClustersWithoutHostsToItsOwnHost() throws IOException {
        report("h1", 1);
        var packaged =
                new Topology(
                        Set.of(),
                        List.of(),
                        Map.of("web", List.of("node1")),
                        Map.of("mails", new ContentNodes(1, new TreeMap<>())));
        assertThat(controller.unknownHosts(packaged)).isEmpty();

        controller.activate(1, packaged);

        assertThat(controller.topology().containers()).containsEntry("web", List.of("h1"));
        assertThat(controller.topology().contents())
                .containsEntry(
                        "mails",
                        new ContentNodes(1, new TreeMap<>(Map.of(0, new ContentHost("h1", 1)))));
    }

    @Test
    void rejectsADamagedFile() throws IOException {
        Files.writeString(directory.resolve("cluster.json"), "{\"clusterId\": 3");

        assertThatIOException().isThrownBy(this::open).withMessageContaining("is damaged");
    }

    private List<Status> statuses() {
        return controller.states().values().stream()
                .flatMap(state -> state.nodes().values().stream())
                .map(NodeState::status)
                .toList();
    }

    private static ClusterState mails(ConfigReply reply) {
        return reply.states().values().iterator().next();
    }

    private ConfigReply report(String host, long process, int... node) throws IOException {
        var nodes = new TreeMap<String, NodeReport>();
        for (int key : node) {
            nodes.put(
                    "mails",
                    new NodeReport(
                            key,
                            host + "-1",
                            NodeAddresses.NONE,
                            7,
                            List.of(),
                            new NodeLoad("", 0, 0, 0)));
        }
        return controller.report(new HostReport(host, process, "", 0, 0, nodes));
    }
}
