package org.crabro.samples.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.TWO_MINUTES;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.core.ConditionFactory;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Changes scripts while documents stay stored: they come to what the new scripts make of them. */
class ReindexingIT {
    private static final String APPLICATION =
            "/application/v2/tenant/default/application/default/environment/prod/region/default"
                    + "/instance/default";
    private static final String SCHEMA =
            """
            schema note {
              document note {
                field text type string { indexing: index | summary }
                field count type int { indexing: attribute | summary }
              }
              field shown type string {
                indexing: input text | lowercase | attribute | summary
              }
              field parts type array<string> {
                indexing: input text | split " " | summary
              }
            }
            """;
    private static final ConditionFactory EVENTUALLY =
            await().atMost(TWO_MINUTES).pollInterval(ONE_MILLISECOND);

    @TempDir Path data;

    private final Http http = new Http();
    private CrabroServer server;

    @BeforeEach
    void start() throws Exception {
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
        deploy(SCHEMA);
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    private void restart() throws Exception {
        server.close();
        server = CrabroServer.start(TestSettings.onAnyPorts(data));
    }

    private JsonNode deploy(String schema) throws Exception {
        Http.Answer answer =
                http.post(
                        server.config()
                                .resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        Http.zip(
                                Map.of(
                                        "services.xml",
                                        NotesApplication.SERVICES,
                                        "schemas/note.sd",
                                        schema)));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    private URI document(int number) {
        return server.container().resolve("/document/v1/home/note/docid/" + number);
    }

    private void put(int number, String text) throws Exception {
        Http.Answer answer =
                http.post(
                        document(number),
                        Http.JSON.readTree(
                                "{\"fields\":{\"text\":\"%s\",\"count\":0}}".formatted(text)));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private JsonNode fields(int number) throws Exception {
        // A field outside of the document has to be asked for by name.
        Http.Answer answer =
                http.get(
                        server.container()
                                .resolve(
                                        "/document/v1/home/note/docid/"
                                                + number
                                                + "?fieldSet=note:text,count,shown,parts"));
        return answer.status() == 404 ? Http.JSON.nullNode() : answer.body().get("fields");
    }

    private JsonNode status() throws Exception {
        return http.get(server.config().resolve(APPLICATION + "/reindexing"))
                .body()
                .get("clusters")
                .get("notes")
                .get("ready")
                .get("note");
    }

    private JsonNode whenEnded() {
        return EVENTUALLY.until(this::status, status -> status.has("endedMillis"));
    }

    private void reindex(String method, String query) throws Exception {
        URI address = server.config().resolve(APPLICATION + "/reindex?" + query);
        Http.Answer answer =
                method.equals("POST")
                        ? http.post(address, Http.JSON.createObjectNode())
                        : http.put(address, Http.JSON.createObjectNode());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    @Test
    void storedDocumentsComeToWhatTheNewScriptMakesOfThem() throws Exception {
        for (int i = 0; i < 200; i++) {
            put(i, "Note " + i);
        }

        JsonNode deployed =
                deploy(
                        SCHEMA.replace("| lowercase |", "| substring 0 4 |")
                                .replace("split \" \"", "split \"o\""));
        JsonNode status = whenEnded();
        JsonNode fields = fields(7);
        restart();

        assertThat(deployed.get("configChangeActions").get("reindex").get(0).get("messages"))
                .hasSize(2);
        assertThat(status.get("state").asString()).isEqualTo("successful");
        assertThat(status.get("message").asString())
                .isEqualTo("200 documents of 200 written again");
        assertThat(status.get("cause").asString()).startsWith("generation 2: Document type 'note'");
        assertThat(fields)
                .isEqualTo(
                        Http.JSON.readTree(
                                """
                                {"text": "Note 7", "count": 0, "shown": "Note", "parts": ["N", "te 7"]}
                                """));
        assertThat(fields(7)).isEqualTo(fields);
        assertThat(status()).isEqualTo(status);
    }

    @Test
    void reportsItsProgress() throws Exception {
        for (int i = 0; i < 20; i++) {
            put(i, "Note " + i);
        }
        deploy(SCHEMA.replace("| lowercase |", "| substring 0 4 |"));
        whenEnded();
        String prometheus = http.text(server.container().resolve("/prometheus/v1/values"));
        JsonNode state =
                http.get(server.container().resolve("/state/v1/metrics"))
                        .body()
                        .get("metrics")
                        .get("values");

        assertThat(prometheus)
                .containsPattern(
                        "reindexing_progress_last\\{clusterid=\"notes\",clustername=\"notes\","
                                + "documenttype=\"note\",state=\"successful\","
                                + "vespa_service=\"vespa_container_clustercontroller\",} 1 ")
                .containsPattern("reindexing_documents_written_last\\{[^}]*} 20 ")
                .doesNotContain("state=\"running\"");
        assertThat(state)
                .filteredOn(metric -> metric.get("name").asString().equals("reindexing.progress"))
                .singleElement()
                .matches(metric -> metric.get("values").get("last").asDouble() == 1)
                .matches(metric ->
                        metric.get("dimensions").get("documenttype").asString().equals("note"));
    }

    @Test
    void goesOnAfterARestartAndWithTheNextGeneration() throws Exception {
        int count = 1_500;
        for (int i = 0; i < count; i++) {
            put(i, "Note " + i);
        }
        reindex("POST", "speed=0.01&cause=test");
        JsonNode begun =
                EVENTUALLY.until(this::status, status -> status.get("progress").asDouble() > 0);
        reindex("PUT", "speed=0");
        restart();
        JsonNode current = status();
        deploy(SCHEMA.replace("document note {", "document note {\n field more type string {}"));
        JsonNode before = status();
        reindex("PUT", "speed=10");
        JsonNode ended = whenEnded();

        assertThat(current.get("state").asString()).isEqualTo("running");
        assertThat(current.get("progress").asDouble())
                .isBetween(begun.get("progress").asDouble(), 0.999);
        assertThat(before).isEqualTo(current);
        assertThat(ended.get("startedMillis")).isEqualTo(begun.get("startedMillis"));
        // Each document was looked at once, and nothing had changed.
        assertThat(ended.get("message").asString())
                .isEqualTo("0 documents of %d written again".formatted(count));
    }

    @Test
    void losesNothingThatClientsWriteMeanwhile() throws Exception {
        long seed = Long.getLong("crabro.seed", System.nanoTime());
        int writers = 4;
        int each = 150;
        for (int i = 0; i < writers * each; i++) {
            put(i, "First " + i);
        }
        reindex("POST", "speed=0");

        deploy(SCHEMA.replace("| lowercase |", "| substring 0 3 | lowercase |"));
        reindex("PUT", "speed=10");
        var problems = new ConcurrentLinkedQueue<String>();
        var expected = new ArrayList<Map<Integer, Expected>>();
        var threads = new ArrayList<Thread>();
        for (int writer = 0; writer < writers; writer++) {
            var own = new TreeMap<Integer, Expected>();
            expected.add(own);
            var random = new Random(seed + writer);
            int first = writer * each;
            threads.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    write(random, first, each, own);
                                } catch (Exception | AssertionError e) {
                                    problems.add(e.toString());
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        JsonNode status = whenEnded();

        assertThat(problems).as("seed %d", seed).isEmpty();
        assertThat(status.get("state").asString()).isEqualTo("successful");
        Set<Integer> touched = new HashSet<>();
        for (Map<Integer, Expected> own : expected) {
            for (Map.Entry<Integer, Expected> entry : own.entrySet()) {
                touched.add(entry.getKey());
                JsonNode fields = fields(entry.getKey());
                Expected last = entry.getValue();
                if (last.text.isEmpty()) {
                    assertThat(fields.isNull()).as("seed %d: %s", seed, entry).isTrue();
                } else {
                    assertThat(List.of(fields.get("text").asString(), fields.get("count").asInt()))
                            .as("seed %d: %s", seed, entry)
                            .isEqualTo(List.of(last.text, last.count));
                    assertThat(fields.get("shown").asString())
                            .as("seed %d: %s", seed, entry)
                            .isEqualTo(
                                    last.text.substring(0, 3).toLowerCase(java.util.Locale.ROOT));
                }
            }
        }
        assertThat(touched).hasSizeGreaterThan(writers * each / 3);
        assertThat(fields(0).isNull() || fields(0).get("shown").asString().length() == 3).isTrue();
    }

    /** What a client last said of a document; without text where it removed it. */
    private record Expected(String text, int count) {}

    private void write(Random random, int first, int count, Map<Integer, Expected> own)
            throws Exception {
        for (int i = 0; i < count; i++) {
            int number = first + random.nextInt(count);
            Expected before = own.getOrDefault(number, new Expected("First " + number, 0));
            switch (random.nextInt(4)) {
                case 0 -> {
                    put(number, "Put " + i);
                    own.put(number, new Expected("Put " + i, 0));
                }
                case 1 -> {
                    assertThat(http.delete(document(number)).status()).isEqualTo(200);
                    own.put(number, new Expected("", 0));
                }
                case 2 -> {
                    update(number, "{\"count\":{\"increment\":1}}");
                    own.put(number, new Expected(before.text, before.count + 1));
                }
                default -> {
                    update(number, "{\"text\":{\"assign\":\"Set %d\"}}".formatted(i));
                    own.put(
                            number,
                            before.text.isEmpty()
                                    ? before
                                    : new Expected("Set " + i, before.count));
                }
            }
        }
    }

    private void update(int number, String fields) throws Exception {
        Http.Answer answer =
                http.put(document(number), Http.JSON.readTree("{\"fields\":" + fields + "}"));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }
}
