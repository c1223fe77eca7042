package org.crabro.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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

/** Three servers of a cluster in one process. */
class ClusterIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final String HOSTS =
            """
            <hosts>
              <host name="n1"><alias>node1</alias></host>
              <host name="n2"><alias>node2</alias></host>
              <host name="n3"><alias>node3</alias></host>
            </hosts>
            """;

    private static final String SERVICES =
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
                <nodes>
                  <node hostalias="node1" distribution-key="0"/>
                  <node hostalias="node2" distribution-key="1"/>
                  <node hostalias="node3" distribution-key="2"/>
                </nodes>
              </content>
            </services>
            """;

    @TempDir Path directory;
    private final List<Optional<HostServer>> servers = new ArrayList<>();
    private final Http http = new Http();
    private NodeAddress config = new NodeAddress(NodeAddress.LOOPBACK, 0);

    @BeforeEach
    void start() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            config = new NodeAddress(NodeAddress.LOOPBACK, free.getLocalPort());
        }
        for (int i = 0; i < 3; i++) {
            servers.add(Optional.of(host(i)));
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(status().path("hosts")).hasSize(3));
    }

    @AfterEach
    void stop() {
        servers.reversed().forEach(each -> each.ifPresent(HostServer::close));
        http.close();
    }

    private HostServer host(int number) throws IOException {
        Path data = directory.resolve("n" + (number + 1));
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

    @Test
    void servesOverTheLossOfANode() throws Exception {
        deploy();
        for (int i = 0; i < 60; i++) {
            put(i % 2, i);
        }
        for (int container = 0; container < 2; container++) {
            assertThat(count(container, "g1")).isEqualTo(6);
            assertThat(found(container)).isEqualTo(60);
        }
        assertThat(visited(1)).hasSize(60);
        Http.Answer tooLarge = put(0, 60, "x".repeat(9 << 20));
        assertThat(tooLarge.status()).as(tooLarge.toString()).isEqualTo(413);

        servers.get(2).orElseThrow().close();
        servers.set(2, Optional.empty());

        for (int i = 60; i < 80; i++) {
            put(i % 2, i);
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(found(0)).isEqualTo(80));
        servers.set(2, Optional.of(host(2)));
        awaitNodes();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(found(1)).isEqualTo(80));
        assertThat(visited(0)).hasSize(80);
    }

    @Test
    void refusesPackagesForHostsThatDoNotRun() throws Exception {
        Http.Answer answer =
                http.post(
                        deployment(),
                        "application/zip",
                        Http.zip(
                                Map.of(
                                        "hosts.xml",
                                        HOSTS.replace("n3", "n9"),
                                        "services.xml",
                                        SERVICES,
                                        "schemas/note.sd",
                                        NotesApplication.SCHEMA)));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().toString())
                .contains("no server runs as host n9, which the package names");
    }

    private URI deployment() {
        return servers.getFirst()
                .orElseThrow()
                .config()
                .orElseThrow()
                .resolve("/application/v2/tenant/default/prepareandactivate");
    }

    private void deploy() throws Exception {
        Http.Answer answer =
                http.post(
                        deployment(),
                        "application/zip",
                        Http.zip(
                                Map.of(
                                        "hosts.xml",
                                        HOSTS,
                                        "services.xml",
                                        SERVICES,
                                        "schemas/note.sd",
                                        NotesApplication.SCHEMA)));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        awaitNodes();
    }

    /** Waits until all hosts serve the package, and each shard has a leader and three replicas. */
    private void awaitNodes() {
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    JsonNode status = status();
                    assertThat(status.path("contents")).as(status.toString()).hasSize(1);
                    JsonNode content = status.path("contents").get(0);
                    for (JsonNode node : content.path("nodes")) {
                        assertThat(node.path("status").asString()).isEqualTo("UP");
                        assertThat(node.path("generation").asLong())
                                .isEqualTo(status.path("generation").asLong());
                    }
                    for (JsonNode shard : content.path("shards")) {
                        assertThat(shard.path("leader").isNull()).as(shard.toString()).isFalse();
                        assertThat(shard.path("voters")).hasSize(3);
                    }
                });
    }

    private JsonNode status() throws Exception {
        URI url = servers.getFirst().orElseThrow().config().orElseThrow();
        return http.get(url.resolve("/cluster/v2")).body();
    }

    private URI container(int number) {
        return servers.get(number).orElseThrow().container().orElseThrow();
    }

    private Http.Answer put(int container, int number, String text) throws Exception {
        var note = Http.JSON.createObjectNode();
        note.putObject("fields").put("text", text);
        return http.post(
                container(container)
                        .resolve("/document/v1/a/note/group/g%d/%d".formatted(number % 10, number)),
                note);
    }

    private void put(int container, int number) throws Exception {
        Http.Answer answer = put(container, number, "note " + number);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private long count(int container, String group) throws Exception {
        return total(container, "&streaming.groupname=" + group);
    }

    private long found(int container) throws Exception {
        return total(container, "&streaming.selection=true");
    }

    private long total(int container, String scope) throws Exception {
        String yql =
                URLEncoder.encode(
                        "select * from note where text contains \"note\"", StandardCharsets.UTF_8);
        Http.Answer answer =
                http.get(
                        container(container)
                                .resolve("/search/?timeout=10s&hits=100&yql=" + yql + scope));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode root = answer.body().path("root");
        assertThat(root.path("coverage").path("coverage").asInt())
                .as(root.toString())
                .isEqualTo(100);
        return root.path("fields").path("totalCount").asLong();
    }

    /** Returns the ids of all documents, visited in four slices over one container. */
    private Set<String> visited(int container) throws Exception {
        Set<String> ids = new TreeSet<>();
        for (int slice = 0; slice < 4; slice++) {
            String token = "";
            do {
                JsonNode page =
                        http.get(
                                        container(container)
                                                .resolve(
                                                        "/document/v1/?cluster=notes&wantedDocumentCount=10&slices=4&sliceId="
                                                                + slice
                                                                + token))
                                .body();
                for (JsonNode document : page.path("documents")) {
                    assertThat(ids.add(document.path("id").asString()))
                            .as(document.toString())
                            .isTrue();
                }
                token =
                        page.path("continuation").isMissingNode()
                                ? ""
                                : "&continuation=" + page.path("continuation").asString();
            } while (!token.isEmpty());
        }
        return ids;
    }
}
