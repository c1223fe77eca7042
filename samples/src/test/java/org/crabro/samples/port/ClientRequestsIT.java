package org.crabro.samples.port;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.crabro.client.feed.BulkFeeder;
import org.crabro.client.feed.FeedClient;
import org.crabro.client.feed.FeedSettings;
import org.crabro.client.feed.FeedStatistics;
import org.crabro.client.http.ServerAccess;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What clients of Vespa send, one request after another, and what they need back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientRequestsIT {
    private static final String TENANT = "/application/v2/tenant/default";
    private static final String APPLICATION =
            TENANT + "/application/default/environment/prod/region/default/instance/default";
    private static final String[] COMMAND_LINE = {
        "User-Agent", "Vespa CLI/8.763.13", "Accept-Encoding", "identity"
    };

    @TempDir static Path data;

    private ServedPackage served;

    @BeforeAll
    void start() throws Exception {
        served = new ServedPackage(data).deployed();
    }

    @AfterAll
    void stop() {
        served.close();
    }

    private Answer config(String path) throws Exception {
        return served.send("GET", served.config(path), new byte[0], COMMAND_LINE);
    }

    @Test
    void namesTheTargetsOfTheCommandLine() throws Exception {
        assertThat(config("/status.html").status()).isEqualTo(200);
        JsonNode converged = config(APPLICATION + "/serviceconverge").json();
        assertThat(converged.get("converged").asBoolean()).isTrue();
        assertThat(converged.get("currentGeneration").isIntegralNumber()).isTrue();
        List<JsonNode> containers = new ArrayList<>();
        for (JsonNode service : converged.get("services")) {
            if (service.get("type").asString().equals("container")) {
                containers.add(service);
            }
        }
        assertThat(containers).hasSize(1);
        assertThat(containers.getFirst().get("port").asInt())
                .isEqualTo(served.container("/").getPort());
        assertThat(containers.getFirst().get("clusterName").asString()).isEqualTo("default");
    }

    @Test
    void servesTheDocumentCommands() throws Exception {
        String path = "/document/v1/ns/note/docid/cli%20a";
        String[] json = {"Content-Type", "application/json; charset=utf-8"};
        Answer put =
                served.send("POST", path + "?timeout=60000ms", "{\"fields\":{\"year\":1}}", json);
        Answer update =
                served.send(
                        "PUT",
                        path + "?timeout=60000ms",
                        "{\"fields\":{\"year\":{\"assign\":2}}}",
                        json);
        Answer got = served.get(path + "?fieldSet=note:year");
        Answer removed = served.send("DELETE", path + "?timeout=60000ms", "", json);

        for (Answer each : List.of(put, update, got, removed)) {
            assertThat(each.status()).as(each.toString()).isEqualTo(200);
            assertThat(each.json().get("id").asString()).isEqualTo("id:ns:note::cli a");
        }
        assertThat(got.json().at("/fields/year").asInt()).isEqualTo(2);
        assertThat(served.get(path).status()).isEqualTo(404);
    }

    /** The requests of a visit, also by slices, and what is checked of each answer. */
    @Test
    void servesTheVisitCommand() throws Exception {
        List<String> lines = new ArrayList<>();
        var expected = new TreeSet<String>();
        for (int i = 0; i < 2_500; i++) {
            lines.add("{\"put\":\"id:visit:tag::%d\",\"fields\":{\"name\":\"x\"}}".formatted(i));
            expected.add("id:visit:tag::" + i);
        }
        served.feed(lines);

        assertThat(served.get("/", COMMAND_LINE).body())
                .contains("DocumentV1ApiHandler", "/document/v1/");
        Answer probe =
                served.get("/document/v1/?cluster=%2A&wantedDocumentCount=1000&stream=false");
        assertThat(probe.status()).isEqualTo(400);
        String message = probe.message();
        assertThat(message).contains("no content cluster '*'");
        List<String> clusters =
                Arrays.stream(message.substring(message.indexOf("only") + 4).split(","))
                        .map(name -> name.strip().replace("'", ""))
                        .toList();
        assertThat(clusters).containsExactly("notes", "places");
        String selection = "&selection=id%2Enamespace%20%3D%3D%20%22visit%22";
        var seen = new ArrayList<String>();
        for (String space : List.of("global", "default")) {
            for (String cluster : clusters) {
                seen.addAll(
                        served.everything(
                                "/document/v1/?cluster=%s&wantedDocumentCount=1000&bucketSpace=%s&stream=false"
                                                .formatted(cluster, space)
                                        + selection));
            }
        }
        assertThat(seen).hasSize(expected.size());
        assertThat(new TreeSet<>(seen)).isEqualTo(expected);

        var streamed = new TreeSet<String>();
        for (int slice = 0; slice < 3; slice++) {
            Answer stream =
                    served.get(
                            "/document/v1/?cluster=notes&wantedDocumentCount=1000&bucketSpace=default&slices=3&sliceId="
                                    + slice
                                    + "&stream=true"
                                    + selection,
                            "Accept",
                            "application/json, application/jsonl");
            assertThat(stream.header("Content-Type")).startsWith("application/jsonl");
            List<String> all = stream.body().lines().toList();
            for (String line : all) {
                JsonNode each = Http.JSON.readTree(line);
                if (each.has("put")) {
                    streamed.add(each.get("put").asString());
                }
            }
            assertThat(Http.JSON.readTree(all.getLast()).has("continuation")).isTrue();
        }
        assertThat(streamed).isEqualTo(expected);
    }

    /** Requests of the Java client: a handshake, then operations with what each must answer. */
    @Test
    void servesFeedClients() throws Exception {
        String[] agent = {"User-Agent", "vespa-feed-client/8.700.24 (Jetty:12.0.35)"};
        assertThat(
                        served.post(
                                        "/document/v1/feeder/handshake/docid/dummy?dryRun=true&timeout=29993ms",
                                        "",
                                        agent)
                                .status())
                .isEqualTo(200);
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write(("{\"fields\":{\"text\":\"" + "long ".repeat(200) + "\"}}").getBytes(UTF_8));
        }
        Answer put =
                served.send(
                        "POST",
                        served.container(
                                "/document/v1/ns/note/docid/a+b%2Fc%2Bd?create=true&timeout=9998ms&tracelevel=3"),
                        compressed.toByteArray(),
                        "Content-Type",
                        "application/json",
                        "Content-Encoding",
                        "gzip");
        Answer unmet =
                served.send(
                        "PUT",
                        "/document/v1/ns/note/docid/a+b%2Fc%2Bd?condition=note.year+%3D%3D+1&timeout=9998ms",
                        "{\"fields\":{\"year\":{\"assign\":1}}}");
        Answer numbered =
                served.post("/document/v1/ns/note/number/9/x?timeout=9998ms", "{\"fields\":{}}");

        assertThat(put.json().get("id").asString()).isEqualTo("id:ns:note::a b/c+d");
        assertThat(put.json().get("trace").isArray()).isTrue();
        assertThat(unmet.status()).isEqualTo(412);
        assertThat(unmet.json().get("message").isString()).isTrue();
        assertThat(numbered.json().get("id").asString()).isEqualTo("id:ns:note:n=9:x");
    }

    /** Requests of pyvespa. */
    @Test
    void servesPyvespa() throws Exception {
        String[] agent = {"User-Agent", "pyvespa/0.dev", "Accept", "*/*"};
        for (int i = 0; i < 30; i++) {
            Answer put =
                    served.post(
                            "/document/v1/py/tag/docid/" + i,
                            "{\"fields\": {\"name\": \"n\"}}",
                            "User-Agent",
                            "pyvespa/0.dev",
                            "Content-Type",
                            "application/json");
            assertThat(put.status()).isEqualTo(200);
            assertThat(put.json().isObject()).isTrue();
        }
        for (String create : List.of("true", "false")) {
            assertThat(
                            served.put(
                                            "/document/v1/py/tag/docid/0?create=" + create,
                                            "{\"fields\": {\"name\": {\"assign\": \"m\"}}}")
                                    .status())
                    .isEqualTo(200);
        }
        assertThat(served.get("/ApplicationStatus", agent).status()).isEqualTo(200);
        assertThat(served.send("HEAD", served.config("/ApplicationStatus"), new byte[0]).status())
                .isEqualTo(200);
        assertThat(served.get("/document/v1/py/tag/docid/none", agent).json().has("pathId"))
                .isTrue();

        String visit =
                "/document/v1/py/tag/docid/?cluster=notes&selection=true&wantedDocumentCount=500&slices=2&sliceId=";
        var seen = new TreeSet<String>();
        for (int slice = 0; slice < 2; slice++) {
            seen.addAll(served.everything(visit + slice));
        }
        assertThat(seen).hasSize(30);

        String delete =
                "/document/v1/py/tag/docid/?cluster=notes&selection=true&slices=1&sliceId=0";
        Answer deleted = served.delete(delete);
        while (deleted.json().has("continuation")) {
            deleted =
                    served.delete(
                            delete
                                    + "&continuation="
                                    + deleted.json().get("continuation").asString());
        }
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(served.everything(visit + 0)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void feedsFilesByOurOwnFeeders(boolean isBulk) throws Exception {
        served.delete("/document/v1/own/note/docid/2");
        String file =
                """
                [{"put":"id:own:note::1","fields":{"year":1}},
                 {"update":"id:own:note::1","fields":{"year":{"increment":1}}},
                 {"update":"id:own:note::2","create":true,"fields":{"year":{"increment":5}}},
                 {"remove":"id:own:note::1","condition":"note.year == 9"},
                 {"put":"id:own:note::3","fields":{"nothere":1}}]
                """;
        FeedStatistics statistics;
        var operations = new ByteArrayInputStream(file.getBytes(UTF_8));
        if (isBulk) {
            try (var feeder = new BulkFeeder(served.container("/"), 2)) {
                statistics = feeder.feed(operations);
            }
        } else {
            try (var client = FeedClient.connect(ServerAccess.of(served.container("/")))) {
                assertThat(client.isMultiplexed()).isTrue();
                statistics = client.feed(operations);
            }
        }

        assertThat(statistics.problems()).hasSize(1);
        assertThat(statistics.ok()).isEqualTo(3);
        assertThat(statistics.conditionsNotMet()).isEqualTo(1);
        assertThat(statistics.errors()).isEqualTo(1);
        assertThat(served.get("/document/v1/own/note/docid/1").json().at("/fields/year").asInt())
                .isEqualTo(2);
        assertThat(served.get("/document/v1/own/note/docid/2").json().at("/fields/year").asInt())
                .isEqualTo(5);
    }

    /** A server permits 512 requests on a connection, and a client fails to send more. */
    @Test
    void aLargeWindowHasAsManyConnectionsAsItNeeds() throws Exception {
        String removes =
                IntStream.range(0, 4_000)
                        .mapToObj("{\"remove\":\"id:own:note::none%d\"}%n"::formatted)
                        .collect(Collectors.joining());
        FeedSettings settings = FeedSettings.DEFAULT.withWindow(1_200);
        FeedStatistics statistics;
        try (var client = FeedClient.connect(ServerAccess.of(served.container("/")), settings)) {
            statistics = client.feed(new ByteArrayInputStream(removes.getBytes(UTF_8)));
        }

        assertThat(statistics.ok()).isEqualTo(4_000);
        assertThat(statistics.json()).contains("\"http.exception.count\": 0,");
    }
}
