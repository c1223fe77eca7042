package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.crabro.config.services.Topology;
import org.crabro.config.services.Topology.ContentHost;
import org.crabro.config.services.Topology.ContentNodes;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.NodeAddresses;
import org.crabro.protocol.cluster.NodeReport;
import org.crabro.protocol.cluster.NodeReport.NodeLoad;
import org.crabro.protocol.cluster.NodeReport.ShardReport;
import org.crabro.protocol.cluster.NodeState;
import org.crabro.protocol.cluster.NodeState.Status;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

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

    private static final String NAME = "default.default.default";

    @TempDir Path directory;
    private long nanos;
    private long millis;
    private ClusterController controller;

    @BeforeEach
    void open() throws IOException {
        controller =
                ClusterController.open(
                        RecordFile.open(directory.resolve("cluster.json")),
                        List.of("h1"),
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
        controller.activate(7, NAME, THREE);
        report("h1", 1, 0);
        report("h2", 1, 1);
        report("h3", 1, 2);
    }

    @Test
    void countsTheGenerationsOfHostsThatRun() throws IOException {
        form();
        assertThat(controller.servedGeneration()).isZero();
        serves("h1", 7);
        serves("h2", 7);
        serves("h3", 6);
        assertThat(controller.servedGeneration()).isEqualTo(6);

        nanos += 3_100_000_000L;
        serves("h1", 7);
        assertThat(controller.servedGeneration()).isEqualTo(7);

        nanos += 3_100_000_000L;
        assertThat(controller.servedGeneration()).as("no host runs").isZero();
    }

    private void serves(String host, long generation) throws IOException {
        ConfigReply _ =
                controller.report(
                        new HostReport(sender(host, 1), "", generation, 8080, new TreeMap<>()));
    }

    @Test
    void keepsItsDecisionsOverARestart() throws IOException {
        form();
        ClusterState before = controller.states().get("mails");
        String id = controller.clusterId();

        open();

        assertThat(controller.clusterId()).isEqualTo(id);
        assertThat(controller.generation()).isEqualTo(7);
        controller.activate(7, NAME, THREE);
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
    void showsReplicasThatHostsDoNotHave() throws IOException {
        form();
        List<Integer> all = IntStream.range(0, 8).boxed().toList();
        ConfigReply _ = controller.report(ofNode("h1-1", all, sender("h1", 1), 0));
        ConfigReply _ = controller.report(ofNode("h2-1", all.subList(0, 7), sender("h2", 1), 1));
        ConfigReply _ = controller.report(ofNode("h3-1", all, sender("h3", 1), 2));
        assertThat(missing()).containsExactly("node 1, shard 7");

        ConfigReply _ = controller.report(ofNode("h2-1", all, sender("h2", 1), 1));
        assertThat(missing()).isEmpty();

        nanos += 4_000_000_000L;
        assertThat(missing()).as("hosts that are down").isEmpty();
        ConfigReply _ = controller.report(ofNode("other", all, sender("h3", 2), 2));
        assertThat(missing())
                .as("a host that lost its data")
                .hasSize(8)
                .contains("node 2, shard 0");
    }

    private List<String> missing() {
        JsonNode status = new JsonMapper().readTree(new ClusterStatus(controller, List::of).json());
        return StreamSupport.stream(
                        status.path("contents").path(0).path("missing").spliterator(), false)
                .map(each ->
                        "node %d, shard %d"
                                .formatted(each.path("node").asInt(), each.path("shard").asInt()))
                .toList();
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
    void letsAHostLeadNothingWhenItStops() throws IOException {
        form();

        ConfigReply _ = controller.report(ofNode("h2", 1, 1).ofEnd());

        assertThat(statuses()).containsExactly(Status.UP, Status.MAINTENANCE, Status.UP);
        assertThat(controller.hosts())
                .filteredOn(host -> !host.isUp())
                .extracting(ClusterController.ReportedHost::name)
                .containsExactly("h2");
        assertThat(report("h2", 2, 1).refusal()).as("the process after it").isEmpty();
        assertThat(statuses()).containsOnly(Status.UP);
    }

    @Test
    void reportsOfAnOlderReleaseDoNotSayThatAHostStops() {
        ObjectNode older = ClusterJson.object(ofNode("h2", 1, 1));
        assertThat(older.remove("isStopping").booleanValue()).isFalse();

        HostReport read = ClusterJson.read(ClusterJson.write(older), HostReport.class);

        assertThat(read).isEqualTo(ofNode("h2", 1, 1));
    }

    @Test
    void refusesStrangers() throws IOException {
        form();
        assertThat(report("h2", 2, 1).refusal())
                .isEqualTo("another process reports as host 'h2'; give each its own --host");
        nanos += 4_000_000_000L;
        assertThat(report("h2", 2, 1).refusal()).as("the other has ended").isEmpty();

        ConfigReply other =
                controller.report(new HostReport(sender("h3", 1), "x", 0, 0, new TreeMap<>()));

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

        controller.activate(1, NAME, packaged);

        assertThat(controller.topology().containers()).containsEntry("web", List.of("h1"));
        assertThat(controller.topology().contents())
                .containsEntry(
                        "mails",
                        new ContentNodes(1, new TreeMap<>(Map.of(0, new ContentHost("h1", 1)))));
    }

    /** Its states name no listeners. */
    @Test
    void readsTheRecordOfAnOlderRelease() throws IOException {
        form();
        var before = controller.states();
        Path file = directory.resolve("cluster.json");
        String now = Files.readString(file);
        String old = now.replace(",\"listeners\":null", "");
        assertThat(old).isNotEqualTo(now).doesNotContain("listeners");
        Files.writeString(file, old);

        open();

        assertThat(controller.states()).isEqualTo(before);
        NodeReport.Configuration configuration =
                ClusterJson.read(
                        "{\"index\":3,\"voters\":[\"a-1\"]}".getBytes(StandardCharsets.UTF_8),
                        NodeReport.Configuration.class);
        assertThat(configuration).isEqualTo(new NodeReport.Configuration(3, List.of("a-1")));
    }

    @Test
    void givesAGlobalClusterToAllNodes() throws IOException {
        for (String host : List.of("h1", "h2", "h3")) {
            report(host, 1);
        }
        controller.activate(7, NAME, GlobalClusters.placed(THREE, Set.of("mails")));

        ClusterState state = Objects.requireNonNull(controller.states().get("mails+global"));

        assertThat(state.shards()).hasSize(1);
        assertThat(state.listeners()).isPresent();
        assertThat(controller.states()).containsKey("mails");
        open();
        assertThat(controller.hasCluster("mails+global")).as("after a restart").isTrue();
        assertThat(controller.states().get("mails+global")).isEqualTo(state);
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

    @Test
    void refusesADistributionKeyThatRunsOnAnotherHost() throws IOException {
        form();
        report("h4", 1);
        ClusterState before = mails(report("h3", 1, 2));
        var moved = new TreeMap<>(Objects.requireNonNull(THREE.contents().get("mails")).nodes());
        moved.put(2, new ContentHost("h4", 1));
        var packaged =
                new Topology(
                        Set.of("h1", "h2", "h3", "h4"),
                        List.of("h1"),
                        Map.of(),
                        Map.of("mails", new ContentNodes(2, moved)));

        assertThat(controller.takenKey(THREE)).isEmpty();
        assertThat(controller.takenKey(packaged))
                .hasValue(
                        "content 'mails': host 'h4' should have distribution-key 2, but a node with this key runs on host 'h3'; stop that server first, or choose another key");
        ConfigReply _ = report("h4", 1, 2);
        assertThat(controller.states().get("mails"))
                .as("a report of a wrong node")
                .isEqualTo(before);
        nanos += 4_000_000_000L;
        assertThat(controller.takenKey(packaged)).as("the other has ended").isEmpty();
    }

    @Test
    void raisesTheFormatWhenAllHostsHaveIt() throws IOException {
        FormatVersions old = new FormatVersions(1, 1);
        FormatVersions both = new FormatVersions(1, 2);
        for (String host : List.of("h1", "h3")) {
            assertThat(report(host, both).format()).isEqualTo(2);
        }
        assertThat(report("h2", old).refusal())
                .isEqualTo(
                        "host 'h2' has formats of version 1, but the cluster uses version 2; start another release there");
        assertThat(controller.format()).isEqualTo(2);
    }

    @Test
    void keepsTheFormatOfAnOlderHost() throws IOException {
        FormatVersions old = new FormatVersions(1, 1);
        FormatVersions both = new FormatVersions(1, 2);
        report("h2", old);
        report("h1", both);
        report("h3", both);
        controller.activate(7, NAME, THREE);
        assertThat(report("h1", both).format()).isEqualTo(1);
        nanos += 4_000_000_000L;
        report("h1", both);
        assertThat(report("h3", both).format()).as("h2 is down, and has documents").isEqualTo(1);

        assertThat(report("h2", both).format()).isEqualTo(2);

        ConfigReply older = controller.report(reportOf(new HostReport.Sender("h2", 1, old)));
        assertThat(older.refusal())
                .isEqualTo(
                        "host 'h2' has formats of version 1, but the cluster uses version 2; start another release there");
        assertThat(report("h1", both).format()).isEqualTo(2);
        assertThat(report("h3", new FormatVersions(2, 3)).format()).as("h1 has no 3").isEqualTo(2);
        assertThat(
                        controller
                                .report(
                                        reportOf(
                                                new HostReport.Sender(
                                                        "h3", 1, new FormatVersions(3, 4))))
                                .refusal())
                .isEqualTo(
                        "host 'h3' has formats of versions 3 to 4, but the cluster uses version 2; start another release there");
    }

    @Test
    void givesNoDecisionsToHostsThatNoPackageNames() throws IOException {
        form();
        long revision = report("h1", 1, 0).revision();

        ConfigReply reply = report("evil", 1, 1);

        assertThat(reply.refusal()).as("a package may name it later").isEmpty();
        assertThat(reply.generation()).isZero();
        assertThat(reply.states()).isEmpty();
        assertThat(report("h1", 1, 0).revision()).as("nothing was recorded").isEqualTo(revision);
        assertThat(controller.members()).containsExactly("h1", "h2", "h3");
        assertThat(report("h1", 1, 0).generation()).isEqualTo(7);
    }

    @Test
    void keepsAHostThatIsNotNamedAnyMoreUntilItsReplicasHaveMoved() throws IOException {
        form();
        var two = new TreeMap<>(Objects.requireNonNull(THREE.contents().get("mails")).nodes());
        two.remove(2);
        controller.activate(
                8,
                NAME,
                new Topology(
                        Set.of("h1", "h2"),
                        List.of("h1"),
                        Map.of(),
                        Map.of("mails", new ContentNodes(2, two))));

        assertThat(controller.members()).contains("h3");
        assertThat(report("h3", 1, 2).generation()).isEqualTo(8);
    }

    /** It deletes the files of its last replicas by the decisions. */
    @Test
    void givesDecisionsForAWhileToAHostThatHadNodes() throws IOException {
        for (String host : List.of("h1", "h4")) {
            report(host, 1);
        }
        controller.activate(
                7, NAME, new Topology(Set.of("h1", "h4"), List.of("h1"), Map.of(), Map.of()));
        report("h4", 1, 0);
        controller.activate(8, NAME, new Topology(Set.of("h1"), List.of("h1"), Map.of(), Map.of()));

        assertThat(report("h4", 1, 0).generation()).isEqualTo(8);
        nanos += ClusterController.LEAVING.toNanos() - 1;
        report("h1", 1);
        assertThat(report("h4", 1, 0).generation()).as("silent for long").isZero();
        assertThat(controller.members()).containsExactly("h1");
    }

    @Test
    void endsTheDecisionsForAHostThatStaysForLong() throws IOException {
        for (String host : List.of("h1", "h4")) {
            report(host, 1);
        }
        controller.activate(
                7, NAME, new Topology(Set.of("h1", "h4"), List.of("h1"), Map.of(), Map.of()));
        report("h4", 1, 0);
        controller.activate(8, NAME, new Topology(Set.of("h1"), List.of("h1"), Map.of(), Map.of()));

        long seconds = ClusterController.LEAVING.toSeconds();
        for (long second = 0; second < seconds; second++) {
            assertThat(report("h4", 1, 0).generation()).as("second %d", second).isEqualTo(8);
            nanos += 1_000_000_000L;
        }
        assertThat(report("h4", 1, 0).generation()).isZero();
        assertThat(report("h4", 1, 0).generation()).as("and later").isZero();
    }

    @Test
    void boundsTheHostsThatNoPackageNames() throws IOException {
        form();
        for (int i = 0; i < ClusterController.HOSTS_MAX; i++) {
            assertThat(report("x" + i, 1).refusal()).isEmpty();
        }
        assertThat(report("y", 1).refusal())
                .isEqualTo("1000 hosts report that no package names, which is the limit");
        assertThat(report("h2", 1, 1).refusal()).as("a host of the package").isEmpty();
        nanos += 4_000_000_000L;
        assertThat(report("y", 1).refusal()).as("the others are silent").isEmpty();
    }

    @Test
    void ignoresAReportThatIsOlderThanTheLastOne() throws IOException {
        form();
        HostReport first = ofNode("h2", 1, 1);
        ConfigReply _ = controller.report(numbered(first, 5).ofEnd());
        assertThat(statuses()).contains(Status.MAINTENANCE);

        ConfigReply _ = controller.report(numbered(first, 4));
        assertThat(statuses()).as("a replay").contains(Status.MAINTENANCE);

        ConfigReply _ = controller.report(numbered(first, 6));
        assertThat(statuses()).doesNotContain(Status.MAINTENANCE);
    }

    private static HostReport numbered(HostReport report, long number) {
        return new HostReport(
                report.sender().numbered(number),
                report.clusterId(),
                report.generation(),
                report.containerPort(),
                report.nodes());
    }

    /** What 127.0.0.1 could do to a cluster by one report. */
    @Test
    void changesNothingForTheReportOfAHostAboutOthers() throws IOException {
        form();
        ClusterState before = mails(report("h1", 1, 0));

        for (String host : List.of("evil", "h3")) {
            for (int key : List.of(0, 1, 7)) {
                ConfigReply _ = controller.report(lie(host, host + "-1", key));
            }
        }
        ConfigReply _ = controller.report(lie("h3", "h1-1", 2));
        ConfigReply _ = controller.report(lie("h3", "h3-1", 2));

        ClusterState now = mails(report("h3", 1, 2));
        assertThat(now.shards()).isEqualTo(before.shards());
        assertThat(now.nodes().get(0)).isEqualTo(before.nodes().get(0));
        assertThat(now.nodes().get(1)).isEqualTo(before.nodes().get(1));
    }

    /** A term and an index without end, with a voter that does not exist. */
    private static HostReport lie(String host, String peer, int key) {
        List<ShardReport> shards =
                IntStream.range(0, ClusterController.SHARDS)
                        .mapToObj(shard ->
                                new ShardReport(
                                        shard,
                                        Long.MAX_VALUE,
                                        true,
                                        Optional.of(
                                                new NodeReport.Configuration(
                                                        Long.MAX_VALUE,
                                                        List.of(peer, "made-up"),
                                                        Optional.empty())),
                                        Long.MAX_VALUE,
                                        Optional.empty()))
                        .toList();
        var node =
                new NodeReport(
                        key,
                        peer,
                        new NodeAddresses("evil:1", "evil:2"),
                        7,
                        shards,
                        new NodeLoad("full", 1, 1, 0));
        return new HostReport(sender(host, 1), "", 7, 8080, new TreeMap<>(Map.of("mails", node)));
    }

    private ConfigReply report(String host, FormatVersions formats) throws IOException {
        return controller.report(reportOf(new HostReport.Sender(host, 1, formats)));
    }

    private static HostReport reportOf(HostReport.Sender sender) {
        return new HostReport(sender, "", 0, 0, new TreeMap<>());
    }

    private static HostReport.Sender sender(String host, long process) {
        return new HostReport.Sender(host, process, FormatVersions.OWN);
    }

    private ConfigReply report(String host, long process, int... node) throws IOException {
        return controller.report(ofNode(host, process, node));
    }

    private static HostReport ofNode(String host, long process, int... node) {
        return ofNode(host + "-1", List.of(), sender(host, process), node);
    }

    private static HostReport ofNode(
            String peer, List<Integer> shards, HostReport.Sender sender, int... node) {
        List<ShardReport> replicas =
                shards.stream()
                        .map(shard ->
                                new ShardReport(
                                        shard, 1, false, Optional.empty(), 0, Optional.empty()))
                        .toList();
        var nodes = new TreeMap<String, NodeReport>();
        for (int key : node) {
            var load = new NodeLoad("", 0, 0, 0);
            nodes.put("mails", new NodeReport(key, peer, NodeAddresses.NONE, 7, replicas, load));
        }
        return new HostReport(sender, "", 0, 0, nodes);
    }
}
