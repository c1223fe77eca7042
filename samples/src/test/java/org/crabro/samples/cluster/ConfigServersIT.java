package org.crabro.samples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.crabro.container.file.DurableFiles;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Three config servers in one process, and a fourth server with a container and documents. */
class ConfigServersIT {
    private static final Duration PATIENCE = HostCluster.PATIENCE;
    private static final int NODE = 3;

    private static final String HOSTS =
            """
            <hosts><host name="n4"><alias>node</alias></host></hosts>
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
    private HostCluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new HostCluster(directory, 3);
        cluster.startAll(NODE + 1);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void deploysWhileAMajorityRunsAndServesWithout() throws Exception {
        int first = leader();
        int second = (first + 1) % 3;
        int third = (first + 2) % 3;
        // Each of the three takes packages, and a session goes on at another one.
        long generation = deploy(second, 1);
        assertThat(cluster.status(third).path("generation").asLong()).isEqualTo(generation);
        awaitNode(second, generation);
        cluster.put(NODE, 1);
        for (int each : List.of(first, second, third)) {
            await().atMost(PATIENCE).untilAsserted(() -> assertConsoleShowsTheNote(each));
        }
        assertThat(maintain(third)).isEqualTo(200);

        cluster.stop(first);

        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(cluster.status(second).path("generation").asLong())
                                .isEqualTo(generation));
        JsonNode after = cluster.status(second);
        assertThat(after.path("hosts").get(NODE).path("isMaintained").asBoolean()).isTrue();
        assertThat(leader()).isNotEqualTo(first);
        long next = deploy(third, 2);
        assertThat(next).isGreaterThan(generation);
        awaitNode(second, next);

        // It has lost its data, and takes the place of its former directory.
        DurableFiles.deleteTree(cluster.data(first).resolve("config"));
        cluster.start(first);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(voting(third)).isEqualTo(3));
        cluster.stop(second);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(post(first, 3).statusCode()).isEqualTo(200));
        cluster.stop(first);

        HttpResponse<String> refused = post(third, 4);
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        cluster.put(NODE, 2);
        cluster.stop(NODE);
        cluster.start(NODE);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.hitCount(NODE)).isEqualTo(2));
        cluster.put(NODE, 3);

        cluster.start(second);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(post(third, 4).statusCode()).isEqualTo(200));
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(cluster.status(second).path("generation").asLong())
                                .isGreaterThan(next + 1));
        assertThat(cluster.hitCount(NODE)).isEqualTo(3);
    }

    /** The console of each config server forwards to the container of another host. */
    private void assertConsoleShowsTheNote(int server) throws Exception {
        URI console = cluster.config(server).resolve("/console/api/");
        var query = Http.JSON.createObjectNode();
        query.put("yql", "select * from note where true")
                .put("streaming.selection", "true")
                .put("timeout", "10s");

        Http.Answer answer = cluster.http().post(console.resolve("search"), query);
        Http.Answer read = cluster.http().get(console.resolve("document/v1/a/note/group/g1/1"));
        Http.Answer status = cluster.http().get(console.resolve("status"));

        assertThat(answer.body().path("root").path("fields").path("totalCount").asInt())
                .as(answer.toString())
                .isEqualTo(1);
        assertThat(read.body().path("fields").path("text").asString())
                .as(read.toString())
                .isEqualTo("note 1");
        assertThat(status.body().path("application").path("application").asString())
                .as(status.toString())
                .isEqualTo("default");
    }

    private int leader() throws Exception {
        int up = IntStream.range(0, 3).filter(each -> cluster.isUp(each)).findFirst().orElseThrow();
        JsonNode all = cluster.status(up).path("configServers");
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
        return StreamSupport.stream(
                        cluster.status(number).path("configServers").spliterator(), false)
                // A server that is down still votes with the directory that it had.
                .filter(each -> each.path("isUp").asBoolean() && each.path("isVoting").asBoolean())
                .count();
    }

    private int maintain(int number) throws Exception {
        return cluster.http()
                .put(cluster.config(number).resolve("/cluster/v2/maintenance/n4"), "")
                .status();
    }

    /** Deploys over a session, whose steps go to this server and the next one that runs. */
    private long deploy(int number, int limit) throws Exception {
        String sessions = "/application/v2/tenant/default/session";
        Http.Answer created =
                cluster.http()
                        .post(
                                cluster.config(number).resolve(sessions),
                                "application/zip",
                                archive(limit));
        assertThat(created.status()).as(created.toString()).isEqualTo(200);
        assertThat(created.body().path("prepared").asString())
                .startsWith(cluster.config(number).toString());
        long session = created.body().path("session-id").asLong();
        int other =
                IntStream.rangeClosed(1, 2)
                        .map(each -> (number + each) % 3)
                        .filter(each -> cluster.isUp(each))
                        .findFirst()
                        .orElseThrow();
        for (String step : List.of("prepared", "active")) {
            Http.Answer answer =
                    cluster.http()
                            .put(
                                    cluster.config(other)
                                            .resolve(sessions + "/" + session + "/" + step),
                                    "");
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        }
        return session;
    }

    private HttpResponse<String> post(int number, int limit) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(
                                    cluster.config(number)
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
                    JsonNode status = cluster.status(number);
                    JsonNode host = status.path("hosts").get(NODE);
                    assertThat(host.path("generation").asLong())
                            .as(status.toString())
                            .isEqualTo(generation);
                    for (JsonNode shard : status.path("contents").get(0).path("shards")) {
                        assertThat(shard.path("leader").isNull()).as(shard.toString()).isFalse();
                    }
                });
    }
}
