package org.crabro.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.crabro.container.admin.LogRing;
import org.crabro.container.file.DurableFiles;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.server.ServerSettings;
import org.crabro.server.cluster.ClusterSettings;
import org.crabro.server.cluster.HostServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Three config servers in one process, and a fourth server with a container and documents. */
class ConfigServersIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int NODE = 3;

    private static final String HOSTS =
            """
            <hosts><host name="h4"><alias>node</alias></host></hosts>
            """;

    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0">
                <search/>
                <document-api/>
                <nodes><node hostalias="node"/></nodes>
              </container>
              <content id="notes" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="note" mode="streaming"/></documents>
                <nodes><node hostalias="node" distribution-key="0"/></nodes>
              </content>
            </services>
            """;

    @TempDir Path directory;
    private final List<ClusterSettings.Named> configServers = new ArrayList<>();
    private final List<Optional<HostServer>> servers = new ArrayList<>();
    private final Http http = new Http();

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < 3; i++) {
            try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                configServers.add(
                        new ClusterSettings.Named(
                                name(i),
                                new NodeAddress(NodeAddress.LOOPBACK, free.getLocalPort())));
            }
        }
        for (int i = 0; i <= NODE; i++) {
            servers.add(Optional.of(host(i)));
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(status(0).path("hosts")).hasSize(4));
    }

    @AfterEach
    void stop() {
        servers.reversed().forEach(each -> each.ifPresent(HostServer::close));
        http.close();
    }

    private static String name(int number) {
        return "h" + (number + 1);
    }

    private HostServer host(int number) throws IOException {
        Path data = directory.resolve(name(number));
        ServerSettings settings = ServerSettings.onAnyPorts(data);
        return HostServer.start(
                new ClusterSettings(
                        name(number), configServers, NodeAddress.LOOPBACK, 0, Optional.empty()),
                data,
                new HostServer.RoleSettings(
                        settings.container(),
                        settings.content(),
                        settings.config(),
                        settings.process().traces()),
                new LogRing("n", 1));
    }

    private void close(int number) {
        servers.get(number).orElseThrow().close();
        servers.set(number, Optional.empty());
    }

    @Test
    void deploysWhileAMajorityRunsAndServesWithout() throws Exception {
        int first = leader();
        int second = (first + 1) % 3;
        int third = (first + 2) % 3;
        // Each of the three takes packages, and a session goes on at another one.
        long generation = deploy(second, 1);
        assertThat(status(third).path("generation").asLong()).isEqualTo(generation);
        awaitNode(second, generation);
        put(1);
        assertThat(maintain(third)).isEqualTo(200);

        close(first);

        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(status(second).path("generation").asLong())
                                .isEqualTo(generation));
        JsonNode after = status(second);
        assertThat(after.path("hosts").get(NODE).path("isMaintained").asBoolean()).isTrue();
        assertThat(leader()).isNotEqualTo(first);
        long next = deploy(third, 2);
        assertThat(next).isGreaterThan(generation);
        awaitNode(second, next);

        // It has lost its data, and takes the place of its former directory.
        DurableFiles.deleteTree(directory.resolve(name(first)).resolve("config"));
        servers.set(first, Optional.of(host(first)));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(voting(third)).isEqualTo(3));
        close(second);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(post(first, 3).statusCode()).isEqualTo(200));
        close(first);

        HttpResponse<String> refused = post(third, 4);
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        put(2);
        close(NODE);
        servers.set(NODE, Optional.of(host(NODE)));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(found()).isEqualTo(2));
        put(3);

        servers.set(second, Optional.of(host(second)));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(post(third, 4).statusCode()).isEqualTo(200));
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(status(second).path("generation").asLong())
                                .isGreaterThan(next + 1));
        assertThat(found()).isEqualTo(3);
    }

    private int leader() throws Exception {
        int up =
                IntStream.range(0, 3)
                        .filter(each -> servers.get(each).isPresent())
                        .findFirst()
                        .orElseThrow();
        JsonNode all = status(up).path("configServers");
        List<String> leaders =
                StreamSupport.stream(all.spliterator(), false)
                        .filter(each -> each.path("isLeader").asBoolean())
                        .map(each -> each.path("name").asString())
                        .toList();
        assertThat(leaders).as(all.toString()).hasSize(1);
        return Integer.parseInt(leaders.getFirst().substring(1)) - 1;
    }

    /** Returns how many config servers count for majorities. */
    private long voting(int number) throws Exception {
        return StreamSupport.stream(status(number).path("configServers").spliterator(), false)
                .filter(each -> each.path("isVoting").asBoolean())
                .count();
    }

    private URI config(int number) {
        return servers.get(number).orElseThrow().config().orElseThrow();
    }

    private JsonNode status(int number) throws Exception {
        Http.Answer answer = http.get(config(number).resolve("/cluster/v2"));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    private int maintain(int number) throws Exception {
        return http.put(config(number).resolve("/cluster/v2/maintenance/h4"), "").status();
    }

    /** Deploys over a session, whose steps go to this server and the next one that runs. */
    private long deploy(int number, int limit) throws Exception {
        String sessions = "/application/v2/tenant/default/session";
        Http.Answer created =
                http.post(config(number).resolve(sessions), "application/zip", archive(limit));
        assertThat(created.status()).as(created.toString()).isEqualTo(200);
        assertThat(created.body().path("prepared").asString())
                .startsWith(config(number).toString());
        long session = created.body().path("session-id").asLong();
        int other =
                IntStream.rangeClosed(1, 2)
                        .map(each -> (number + each) % 3)
                        .filter(each -> servers.get(each).isPresent())
                        .findFirst()
                        .orElseThrow();
        for (String step : List.of("prepared", "active")) {
            Http.Answer answer =
                    http.put(config(other).resolve(sessions + "/" + session + "/" + step), "");
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        }
        return session;
    }

    private HttpResponse<String> post(int number, int limit) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(
                                    config(number)
                                            .resolve(
                                                    "/application/v2/tenant/default/prepareandactivate"))
                            .header("Content-Type", "application/zip")
                            .timeout(PATIENCE)
                            .POST(HttpRequest.BodyPublishers.ofByteArray(archive(limit)))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    /** Returns a package; those with other numbers have another comment. */
    private static byte[] archive(int number) throws IOException {
        return Http.zip(
                Map.of(
                        "hosts.xml",
                        HOSTS,
                        "services.xml",
                        SERVICES,
                        "schemas/note.sd",
                        NotesApplication.SCHEMA,
                        "files/number.txt",
                        Integer.toString(number)));
    }

    private void awaitNode(int number, long generation) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    JsonNode status = status(number);
                    JsonNode host = status.path("hosts").get(NODE);
                    assertThat(host.path("generation").asLong())
                            .as(status.toString())
                            .isEqualTo(generation);
                    for (JsonNode shard : status.path("contents").get(0).path("shards")) {
                        assertThat(shard.path("leader").isNull()).as(shard.toString()).isFalse();
                    }
                });
    }

    private URI container() {
        return servers.get(NODE).orElseThrow().container().orElseThrow();
    }

    private void put(int number) throws Exception {
        var note = Http.JSON.createObjectNode();
        note.putObject("fields").put("text", "note " + number);
        Http.Answer answer =
                http.post(
                        container()
                                .resolve("/document/v1/a/note/group/g/" + number + "?timeout=60s"),
                        note);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private long found() throws Exception {
        String yql =
                URLEncoder.encode(
                        "select * from note where text contains \"note\"", StandardCharsets.UTF_8);
        Http.Answer answer =
                http.get(
                        container()
                                .resolve("/search/?timeout=10s&streaming.groupname=g&yql=" + yql));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode root = answer.body().path("root");
        assertThat(root.path("coverage").path("coverage").asInt()).isEqualTo(100);
        return root.path("fields").path("totalCount").asLong();
    }
}
