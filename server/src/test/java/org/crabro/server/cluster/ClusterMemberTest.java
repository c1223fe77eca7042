package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.awaitility.Awaitility;
import org.crabro.config.services.Topology;
import org.crabro.config.services.Topology.ContentHost;
import org.crabro.config.services.Topology.ContentNodes;
import org.crabro.container.admin.ActiveFiles;
import org.crabro.protocol.cluster.ClusterState;
import org.crabro.protocol.cluster.NodeAddresses;
import org.crabro.protocol.cluster.NodeReport;
import org.crabro.protocol.cluster.NodeReport.NodeLoad;
import org.crabro.protocol.cluster.NodeState.Status;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterMemberTest {
    private static final Topology TOPOLOGY =
            new Topology(
                    Set.of("h1"),
                    List.of("h1"),
                    Map.of(),
                    Map.of(
                            "mails",
                            new ContentNodes(
                                    1, new TreeMap<>(Map.of(0, new ContentHost("h1", 1))))));

    @TempDir Path directory;
    private ClusterController controller;
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<String> refusals = new ArrayList<>();
    private boolean isDown;
    private boolean isBroken;

    /** How many generations the files of the config server are behind its decisions. */
    private long behind;

    private int proceeded;
    private FormatVersions formats = FormatVersions.OWN;
    private int written;
    private Optional<ConfigReply> stale = Optional.empty();

    /** The answer of the first config server. */
    private Optional<ConfigReply> lies = Optional.empty();

    /** The config servers that each takes for leaders. */
    private Set<String> leaders = Set.of("a", "b");

    /** A config server in the same process. */
    private final class Server implements ConfigAccess {
        private final String name;

        Server(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean confirms(String leader) throws IOException {
            if (isDown) {
                throw new IOException(name + " is down");
            }
            return leaders.contains(leader);
        }

        @Override
        public ConfigReply report(HostReport report) throws IOException {
            if (isDown) {
                throw new IOException(name + " is down");
            }
            if (lies.isPresent() && name.equals("a")) {
                return lies.get();
            }
            return stale.isPresent() ? stale.get() : controller.report(report);
        }

        @Override
        public void copyPackage(OutputStream to) throws IOException {
            try (var zip = new ZipOutputStream(to)) {
                long generation = controller.generation() - behind;
                Map<String, String> files =
                        Map.of(
                                "active",
                                generation + "\n",
                                generation + "/services.xml",
                                "<services/>");
                for (Map.Entry<String, String> each : files.entrySet()) {
                    zip.putNextEntry(new ZipEntry(each.getKey()));
                    zip.write(each.getValue().getBytes(StandardCharsets.UTF_8));
                }
            }
        }
    }

    /** Records the calls. */
    private final class NotedRoles implements ClusterMember.Roles {
        @Override
        public int containerPort() {
            return 0;
        }

        @Override
        public SortedMap<String, NodeReport> nodes() {
            return new TreeMap<>(
                    Map.of(
                            "mails",
                            new NodeReport(
                                    0,
                                    "h1-1",
                                    NodeAddresses.NONE,
                                    0,
                                    List.of(),
                                    new NodeLoad("", 0, 0, 0))));
        }

        @Override
        public void activate(Path packages) throws IOException {
            if (isBroken) {
                throw new IOException("no memory");
            }
            events.add("active " + ActiveFiles.active(packages).orElseThrow().generation());
        }

        @Override
        public void proceed() {
            proceeded++;
        }

        @Override
        public void deactivate() {
            events.add("inactive");
        }

        @Override
        public void write(int format) {
            written = format;
        }

        @Override
        public void follow(SortedMap<String, ClusterState> states) {
            states.forEach((id, state) ->
                    events.add(
                            id
                                    + " "
                                    + state.nodes().values().stream()
                                            .map(node -> node.status() == Status.UP ? "up" : "down")
                                            .toList()));
        }
    }

    @BeforeEach
    void open() throws IOException {
        controller = controller("cluster.json");
    }

    private ClusterController controller(String file) throws IOException {
        return ClusterController.open(
                RecordFile.open(directory.resolve(file)),
                List.of("h1"),
                System::nanoTime,
                InstantSource.fixed(Instant.EPOCH));
    }

    @Test
    void acceptsOnlyThePackageOfTheGeneration() throws IOException {
        try (ClusterMember member = member(1)) {
            member.step();
            controller.activate(3, "default.default.default", TOPOLOGY);
            behind = 1;
            member.step();
            assertThat(events).containsExactly("mails [up]");

            behind = 0;
            member.step();
            assertThat(events).containsExactly("mails [up]", "active 3");
        }
    }

    @Test
    void followsTheConfigServer() throws IOException {
        try (ClusterMember member = member(1)) {
            member.step();
            assertThat(events).isEmpty();
            controller.activate(3, "default.default.default", TOPOLOGY);
            member.step();
            assertThat(events).containsExactly("mails [up]", "active 3");
            int before = proceeded;
            member.step();
            assertThat(proceeded).as("an answer without changes").isEqualTo(before + 1);
            controller.activate(4, "default.default.default", TOPOLOGY);
            member.step();
            assertThat(events).containsExactly("mails [up]", "active 3", "active 4");

            controller.deactivate();
            member.step();

            assertThat(events).endsWith("inactive");
        }
    }

    @Test
    void servesByTheLastDecisionsWithoutAConfigServer() throws IOException {
        followsTheConfigServerUntilActive();
        isDown = true;
        events.clear();

        try (ClusterMember member = member(1)) {
            assertThat(events).containsExactly("mails [up]", "active 3");
            member.step();
            assertThat(events).hasSize(2);
            isDown = false;
            controller.activate(5, "default.default.default", TOPOLOGY);
            member.step();
            assertThat(events).endsWith("active 5");
        }
    }

    private void followsTheConfigServerUntilActive() throws IOException {
        try (ClusterMember member = member(1)) {
            controller.activate(3, "default.default.default", TOPOLOGY);
            member.step();
        }
    }

    @Test
    void triesAgainToActivate() throws IOException {
        try (ClusterMember member = member(1)) {
            controller.activate(3, "default.default.default", TOPOLOGY);
            isBroken = true;
            assertThatIOException().isThrownBy(member::step).withMessage("no memory");
            isBroken = false;
            member.step();
            assertThat(events).contains("active 3");
        }
    }

    @Test
    void stopsIfItIsRefused() throws IOException {
        try (ClusterMember member = member(1);
                ClusterMember other = member(2)) {
            member.step();
            other.step();
            assertThat(refusals)
                    .containsExactly(
                            "another process reports as host 'h1'; give each its own --host");
        }
    }

    @Test
    void saysThatItStops() throws IOException {
        try (ClusterMember member = member(1)) {
            controller.activate(3, "default.default.default", TOPOLOGY);
            member.start();
            Awaitility.await().untilAsserted(() -> assertThat(events).contains("active 3"));
        }

        assertThat(controller.states().values())
                .flatExtracting(state -> state.nodes().values())
                .extracting(each -> each.status())
                .containsOnly(Status.MAINTENANCE);
    }

    @Test
    void keepsTheClusterOfItsData() throws IOException {
        followsTheConfigServerUntilActive();
        controller = controller("another.json");
        try (ClusterMember member = member(1)) {
            member.step();
        }
        assertThat(refusals)
                .singleElement()
                .asString()
                .startsWith("the data directory of host 'h1' belongs to cluster ");
    }

    @Test
    void ignoresAConfigServerThatDoesNotKnowThatAnotherLeads() throws IOException {
        try (ClusterMember member = member(1)) {
            controller.activate(3, "default.default.default", TOPOLOGY);
            member.step();
            ConfigReply old = new ConfigReply("", controller.clusterId(), 1, 1, 0, new TreeMap<>());
            stale = Optional.of(old);
            member.step();
            assertThat(events).containsExactly("mails [up]", "active 3");
        }
    }

    /** One such answer stopped the server, and one with a high revision was the last. */
    @Test
    void followsNoServerThatAloneSaysThatItLeads() throws IOException {
        try (ClusterMember member = member(1)) {
            controller.activate(3, "default.default.default", TOPOLOGY);
            member.step();
            leaders = Set.of("b");
            String id = controller.clusterId();
            for (ConfigReply lie :
                    List.of(
                            ConfigReply.refusal("stop", id),
                            new ConfigReply("", id, Long.MAX_VALUE, 1, 0, new TreeMap<>()),
                            new ConfigReply("", id, Long.MAX_VALUE, 99, 77, new TreeMap<>()),
                            new ConfigReply("", "x", 1, 1, 0, new TreeMap<>()))) {
                lies = Optional.of(lie);
                member.step();
            }
            assertThat(refusals).isEmpty();
            assertThat(events).containsExactly("mails [up]", "active 3");

            controller.activate(4, "default.default.default", TOPOLOGY);
            member.step();
            member.step();
            assertThat(events).as("the other one answers next").endsWith("active 4");
        }
    }

    @Test
    void doesNotStartWithoutTheFormatsOfItsCluster() throws IOException {
        formats = new FormatVersions(1, 2);
        followsTheConfigServerUntilActive();
        formats = new FormatVersions(1, 1);
        events.clear();

        assertThatIOException()
                .isThrownBy(() -> member(1))
                .withMessageContaining(
                        "the cluster uses version 2 of its formats, but this server has version 1; start another release");
        assertThat(events).isEmpty();
        formats = new FormatVersions(2, 2);
        written = 0;
        member(1).close();
        assertThat(events).containsExactly("mails [up]", "active 3");
        assertThat(written).as("known without a config server").isEqualTo(2);
    }

    private ClusterMember member(long process) throws IOException {
        return ClusterMember.open(
                new HostReport.Sender("h1", process, formats),
                List.of(new Server("a"), new Server("b")),
                new NotedRoles(),
                directory.resolve("member"),
                refusals::add);
    }
}
