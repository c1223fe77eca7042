package org.crabro.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.crabro.container.admin.LogRing;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.server.ServerSettings;
import org.crabro.server.cluster.ClusterSettings;
import org.crabro.server.cluster.HostServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Hosts of a cluster in one process, which join, lose their data and are retired. */
class ReplicaMovesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int DOCUMENTS = 120;
    private static final int SLICES = 4;

    @TempDir Path directory;
    private final List<Optional<HostServer>> servers = new ArrayList<>();
    private final Http http = new Http();
    private NodeAddress config = new NodeAddress(NodeAddress.LOOPBACK, 0);

    @BeforeEach
    void start() throws Exception {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            config = new NodeAddress(NodeAddress.LOOPBACK, free.getLocalPort());
        }
        for (int i = 0; i < 3; i++) {
            servers.add(Optional.of(host(i)));
        }
    }

    @AfterEach
    void stop() {
        servers.reversed().forEach(each -> each.ifPresent(HostServer::close));
        http.close();
    }

    private HostServer host(int number) throws IOException {
        Path data = data(number);
        ServerSettings settings = ServerSettings.onAnyPorts(data);
        return HostServer.start(
                new ClusterSettings(
                        "n" + (number + 1),
                        List.of(new ClusterSettings.Named("n1", config)),
                        NodeAddress.LOOPBACK,
                        0,
                        Optional.empty()),
                data,
                new HostServer.RoleSettings(
                        settings.container(),
                        settings.content(),
                        settings.config(),
                        settings.process().traces()),
                new LogRing("n", 1));
    }

    private Path data(int number) {
        return directory.resolve("n" + (number + 1));
    }

    @Test
    void aHostThatJoinsGetsItsShareWhileAFeedAndVisitsRun() throws Exception {
        deploy(3, Optional.empty());
        for (int i = 0; i < DOCUMENTS; i++) {
            put(i % 2, i);
        }
        servers.add(Optional.of(host(3)));
        awaitHosts();
        int fed;
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            var isMoved = new Signal();
            Future<Integer> feed = threads.submit(feed(isMoved));
            Future<Integer> visits = threads.submit(visits(isMoved));

            try {
                deploy(4, Optional.empty());
            } finally {
                isMoved.set();
            }

            fed = feed.get();
            assertThat(visits.get()).isPositive();
        }
        assertThat(fed).isPositive();
        assertThat(replicas(3)).isEqualTo(6);
        for (int container = 0; container < 2; container++) {
            assertThat(found(container)).isEqualTo(DOCUMENTS + fed);
        }
        // Leaders are balanced, and other nodes keep nothing for the new one.
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    for (int node = 0; node < 4; node++) {
                        assertThat(led(node)).isEqualTo(2);
                        assertThat(exports(node)).isEmpty();
                    }
                });
        assertThat(found(0)).isEqualTo(DOCUMENTS + fed);
    }

    @Test
    void aHostThatLostItsDirectoryGetsItsCopies() throws Exception {
        deploy(3, Optional.empty());
        for (int i = 0; i < DOCUMENTS; i++) {
            put(i % 2, i);
        }
        Set<String> before = peers(2);
        assertThat(before).hasSize(1);

        servers.get(2).orElseThrow().close();
        deleteAll(data(2));
        for (int i = DOCUMENTS; i < 2 * DOCUMENTS; i++) {
            put(i % 2, i);
        }
        // Before that, another process of the same name is refused.
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(status().path("hosts").get(2).path("isUp").asBoolean())
                                .isFalse());
        servers.set(2, Optional.of(host(2)));
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    assertThat(peers(2)).hasSize(1).doesNotContainAnyElementsOf(before);
                    assertThat(replicas(2)).isEqualTo(8);
                });
        awaitMoves(3);

        // What was acknowledged is on the new peer: the others alone are no majority.
        servers.get(1).orElseThrow().close();
        servers.set(1, Optional.empty());
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(found(0)).isEqualTo(2 * DOCUMENTS));
        put(0, 2 * DOCUMENTS);
        assertThat(found(0)).isEqualTo(2 * DOCUMENTS + 1);
    }

    @Test
    void aRetiredHostHandsOverItsReplicas() throws Exception {
        servers.add(Optional.of(host(3)));
        deploy(4, Optional.empty());
        for (int i = 0; i < DOCUMENTS; i++) {
            put(i % 2, i);
        }

        deploy(4, Optional.of(2));

        assertThat(replicas(2)).isZero();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(runs(2)).isEmpty());
        servers.get(2).orElseThrow().close();
        servers.set(2, Optional.empty());
        assertThat(found(1)).isEqualTo(DOCUMENTS);
        put(1, DOCUMENTS);
        assertThat(found(0)).isEqualTo(DOCUMENTS + 1);
    }

    /** Is set once. */
    private static final class Signal {
        private volatile boolean isSet;

        void set() {
            isSet = true;
        }

        boolean isSet() {
            return isSet;
        }
    }

    /** Puts documents until the signal; returns how many. */
    private Callable<Integer> feed(Signal end) {
        return () -> {
            int count = 0;
            while (!end.isSet()) {
                put(count % 2, DOCUMENTS + count);
                count++;
            }
            return count;
        };
    }

    /** Visits all documents again and again until the signal; returns how often. */
    private Callable<Integer> visits(Signal end) {
        return () -> {
            int count = 0;
            while (!end.isSet()) {
                Set<String> ids = visited();
                for (int i = 0; i < DOCUMENTS; i++) {
                    assertThat(ids).contains("id:a:note:g=g%d:%d".formatted(i % 10, i));
                }
                count++;
            }
            return count;
        };
    }

    /** Deploys a package for hosts, and waits until all replicas are where they should be. */
    private void deploy(int hosts, Optional<Integer> retired) throws Exception {
        awaitHosts();
        var names = new StringBuilder();
        var nodes = new StringBuilder();
        for (int i = 0; i < hosts; i++) {
            names.append("<host name='n%d'><alias>node%d</alias></host>\n".formatted(i + 1, i + 1));
            nodes.append(
                    "<node hostalias='node%d' distribution-key='%d'%s/>\n"
                            .formatted(
                                    i + 1,
                                    i,
                                    retired.equals(Optional.of(i)) ? " retired='true'" : ""));
        }
        String services =
                """
                <services version="1.0">
                  <container id="default" version="1.0">
                    <search/>
                    <document-api/>
                    <nodes><node hostalias="node1"/><node hostalias="node2"/></nodes>
                  </container>
                  <content id="notes" version="1.0">
                    <min-redundancy>2</min-redundancy>
                    <documents><document type="note" mode="streaming"/></documents>
                    <nodes>%s</nodes>
                  </content>
                </services>
                """
                        .formatted(nodes);
        URI url = servers.getFirst().orElseThrow().config().orElseThrow();
        Http.Answer answer =
                http.post(
                        url.resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        Http.zip(
                                Map.of(
                                        "hosts.xml",
                                        "<hosts>%s</hosts>".formatted(names),
                                        "services.xml",
                                        services,
                                        "schemas/note.sd",
                                        NotesApplication.SCHEMA)));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        awaitMoves(hosts);
    }

    private void awaitHosts() {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(status().path("hosts")).hasSize(servers.size()));
    }

    /** Waits until all nodes serve the package, and all replicas are where they should be. */
    private void awaitMoves(int nodes) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    JsonNode status = status();
                    assertThat(status.path("contents")).as(status.toString()).hasSize(1);
                    JsonNode content = status.path("contents").get(0);
                    assertThat(content.path("moves")).isEmpty();
                    assertThat(content.path("nodes")).hasSizeGreaterThanOrEqualTo(nodes - 1);
                    for (JsonNode node : content.path("nodes")) {
                        assertThat(node.path("status").asString()).isEqualTo("UP");
                        assertThat(node.path("generation").asLong())
                                .isEqualTo(status.path("generation").asLong());
                    }
                    for (JsonNode shard : content.path("shards")) {
                        assertThat(shard.path("leader").isNull()).as(shard.toString()).isFalse();
                        assertThat(shard.path("voters")).as(shard.toString()).hasSize(3);
                        Set<Integer> desired = new HashSet<>();
                        shard.path("desired").forEach(each -> desired.add(each.asInt()));
                        for (JsonNode voter : shard.path("voters")) {
                            assertThat(desired).contains(voter.path("node").asInt());
                        }
                    }
                });
    }

    private JsonNode status() throws Exception {
        URI url = servers.getFirst().orElseThrow().config().orElseThrow();
        return http.get(url.resolve("/cluster/v2")).body();
    }

    private List<JsonNode> voters(int node) throws Exception {
        List<JsonNode> voters = new ArrayList<>();
        for (JsonNode shard : status().path("contents").get(0).path("shards")) {
            for (JsonNode voter : shard.path("voters")) {
                if (voter.path("node").asInt() == node) {
                    voters.add(voter);
                }
            }
        }
        return voters;
    }

    private int replicas(int node) throws Exception {
        return voters(node).size();
    }

    private Set<String> peers(int node) throws Exception {
        Set<String> peers = new HashSet<>();
        voters(node).forEach(each -> peers.add(each.path("peer").asString()));
        return peers;
    }

    private long led(int node) throws Exception {
        long count = 0;
        for (JsonNode shard : status().path("contents").get(0).path("shards")) {
            count += shard.path("leader").asInt(-1) == node ? 1 : 0;
        }
        return count;
    }

    private List<Path> exports(int node) throws IOException {
        return files(data(node).resolve("content/notes/exports"));
    }

    private List<Path> runs(int node) throws IOException {
        return files(data(node).resolve("content/notes/partitions")).stream()
                .filter(each -> each.toString().endsWith(".run"))
                .toList();
    }

    private static List<Path> files(Path of) throws IOException {
        if (!Files.isDirectory(of)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(of)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static void deleteAll(Path path) throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private URI container(int number) {
        return servers.get(number).orElseThrow().container().orElseThrow();
    }

    private void put(int container, int number) throws Exception {
        var note = Http.JSON.createObjectNode();
        note.putObject("fields").put("text", "note " + number);
        Http.Answer answer =
                http.post(
                        container(container)
                                .resolve(
                                        "/document/v1/a/note/group/g%d/%d"
                                                .formatted(number % 10, number)),
                        note);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    /** Returns the number of documents; fails if some could not be searched. */
    private long found(int container) throws Exception {
        String yql =
                URLEncoder.encode(
                        "select * from note where text contains \"note\"", StandardCharsets.UTF_8);
        Http.Answer answer =
                http.get(
                        container(container)
                                .resolve(
                                        "/search/?timeout=10s&hits=1&streaming.selection=true&yql="
                                                + yql));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode root = answer.body().path("root");
        assertThat(root.path("coverage").path("coverage").asInt())
                .as(root.toString())
                .isEqualTo(100);
        return root.path("fields").path("totalCount").asLong();
    }

    /**
     * Returns the ids of all documents, visited in four slices, page by page over two containers.
     */
    private Set<String> visited() throws Exception {
        Set<String> ids = new HashSet<>();
        int pages = 0;
        for (int slice = 0; slice < SLICES; slice++) {
            String token = "";
            do {
                Http.Answer answer =
                        http.get(
                                container(pages % 2)
                                        .resolve(
                                                "/document/v1/?cluster=notes&wantedDocumentCount=10&slices=%d&sliceId=%d%s"
                                                        .formatted(SLICES, slice, token)));
                assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
                for (JsonNode document : answer.body().path("documents")) {
                    assertThat(ids.add(document.path("id").asString()))
                            .as(document.toString())
                            .isTrue();
                }
                JsonNode next = answer.body().path("continuation");
                token = next.isMissingNode() ? "" : "&continuation=" + next.asString();
                pages++;
            } while (!token.isEmpty());
        }
        return ids;
    }
}
