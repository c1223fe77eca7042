package org.crabro.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.client.feed.FeedClient;
import org.crabro.client.feed.FeedResult;
import org.crabro.server.CrabroServer;
import org.crabro.server.ServerSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Visits the documents of a server, in parts that go on over flushes, restarts and deployments, and
 * changes what is selected.
 */
class VisitIT {
    private static final String ROOT = "/document/v1/?cluster=notes";
    private static final int PLAIN = 900;
    private static final int GROUPED = 400;
    private static final int TAGS = 50;

    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0">
                <search/>
                <document-api/>
              </container>
              <content id="notes" version="1.0">
                <redundancy>1</redundancy>
                <documents>
                  <document type="note" mode="streaming"/>
                  <document type="tag" mode="streaming"/>
                </documents>
              </content>
            </services>
            """;

    private static final String NOTE =
            """
            schema note {
              document note {
                field text type string { indexing: index | summary }
                field year type int { indexing: attribute | summary }
                field place type tensor<float>(x[2]) { indexing: attribute }
              }
              fieldset texts { fields: text }
            }
            """;

    private static final String TAG =
            """
            schema tag {
              document tag {
                field name type string { indexing: attribute | summary }
              }
            }
            """;

    @TempDir Path directory;

    private final Http http = new Http();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, String> files =
            new TreeMap<>(
                    Map.of(
                            "services.xml",
                            SERVICES,
                            "schemas/note.sd",
                            NOTE,
                            "schemas/tag.sd",
                            TAG));
    private final Map<String, JsonNode> fed = new HashMap<>();
    private CrabroServer server;

    @BeforeEach
    void start() throws Exception {
        server = CrabroServer.start(ServerSettings.onAnyPorts(directory.resolve("data")));
        deploy();
        var lines = new ArrayList<String>();
        for (int i = 0; i < PLAIN; i++) {
            lines.add(note("id:ns:note::" + i, i));
        }
        for (int i = 0; i < GROUPED; i++) {
            lines.add(note("id:ns:note:g=anna:" + i, i));
            lines.add(note("id:ns:note:n=77:" + i, i));
        }
        for (int i = 0; i < TAGS; i++) {
            lines.add("{\"put\":\"id:ns:tag::%d\",\"fields\":{\"name\":\"t%d\"}}".formatted(i, i));
        }
        feed(lines);
    }

    @AfterEach
    void stop() {
        client.close();
        http.close();
        server.close();
    }

    private static String note(String id, int year) {
        return "{\"put\":\"%s\",\"fields\":{\"text\":\"Nöte \\\"%d\\\"\",\"year\":%d,\"place\":[%d,0.5]}}"
                .formatted(id, year, year, year);
    }

    private void feed(List<String> lines) throws Exception {
        for (String line : lines) {
            JsonNode operation = Http.JSON.readTree(line);
            fed.put(operation.get("put").asString(), operation.get("fields"));
        }
        try (var feeder = new FeedClient(server.container(), 32)) {
            FeedResult result =
                    feeder.feed(
                            new ByteArrayInputStream(String.join("\n", lines).getBytes(UTF_8)),
                            _ -> {});
            assertThat(result.problems()).isEmpty();
        }
    }

    private void deploy() throws Exception {
        Http.Answer answer =
                http.post(
                        server.config()
                                .resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        Http.zip(files));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    private void restart() throws Exception {
        server.close();
        server = CrabroServer.start(ServerSettings.onAnyPorts(directory.resolve("data")));
    }

    /** Makes runs of what is in the journal alone. */
    private void flush(String name) throws Exception {
        var body = Http.JSON.createObjectNode();
        body.put("directory", directory.resolve(name).toString());
        assertThat(http.post(server.config().resolve("/crabro/v1/backup"), body).status())
                .isEqualTo(200);
    }

    private JsonNode get(String target) throws Exception {
        Http.Answer answer = http.get(server.container().resolve(target));
        assertThat(answer.status()).as(target + " " + answer).isEqualTo(200);
        return answer.body();
    }

    /** The lines of an answer, which has to say at its end that it is whole. */
    private List<JsonNode> lines(String target) throws Exception {
        HttpResponse<String> response =
                client.send(
                        HttpRequest.newBuilder(server.container().resolve(target))
                                .header("Accept", "application/json, application/jsonl")
                                .build(),
                        HttpResponse.BodyHandlers.ofString(UTF_8));
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type"))
                .contains("application/jsonl; charset=UTF-8");
        var lines = new ArrayList<JsonNode>();
        response.body().lines().forEach(line -> lines.add(Http.JSON.readTree(line)));
        assertThat(lines.getLast().get("continuation").has("token")).isFalse();
        return lines;
    }

    private static List<String> ids(JsonNode answer) {
        var ids = new ArrayList<String>();
        for (JsonNode each : answer.get("documents")) {
            ids.add(each.get(each.has("id") ? "id" : "remove").asString());
        }
        assertThat(answer.get("documentCount").asInt()).isEqualTo(ids.size());
        return ids;
    }

    private static Optional<String> continuation(JsonNode answer) {
        return Optional.ofNullable(answer.get("continuation")).map(JsonNode::asString);
    }

    private List<String> everything(String target) throws Exception {
        var ids = new ArrayList<String>();
        Optional<String> continuation = Optional.empty();
        do {
            JsonNode answer =
                    get(target + continuation.map(token -> "&continuation=" + token).orElse(""));
            ids.addAll(ids(answer));
            continuation = continuation(answer);
        } while (continuation.isPresent());
        return ids;
    }

    private static String selection(String text) {
        return "&selection=" + URLEncoder.encode(text, UTF_8);
    }

    @Test
    void bringsEveryDocumentOnceAsItWasFed() throws Exception {
        for (boolean isFlushed : List.of(false, true)) {
            if (isFlushed) {
                flush("backup");
                // Some lie in runs and were written again, some are new.
                feed(List.of(note("id:ns:note::5", 7_777), note("id:ns:note::new", 1)));
            }
            assertThat(ids(get(ROOT))).hasSize(1);
            List<String> ids = everything(ROOT + "&wantedDocumentCount=137");
            assertThat(ids).hasSize(fed.size());
            assertThat(new HashSet<>(ids)).isEqualTo(fed.keySet());

            JsonNode streamed = get(ROOT + "&stream=true&concurrency=4&format.tensors=short-value");
            assertThat(ids(streamed)).hasSize(fed.size());
            for (JsonNode each : streamed.get("documents")) {
                assertThat(each.get("fields").toString().replace(".0]", "]").replace(".0,", ","))
                        .isEqualTo(String.valueOf(fed.get(each.get("id").asString())));
            }
        }
    }

    @Test
    void streamsLinesThatCanBeFedAgain() throws Exception {
        List<JsonNode> lines = lines(ROOT + "&stream=true");

        long puts = lines.stream().filter(line -> line.has("put")).count();
        assertThat(puts).isEqualTo(fed.size());
        assertThat(lines.get(lines.size() - 2).get("sessionStats").get("documentCount").asLong())
                .isEqualTo(puts);
        assertThat(lines.getLast().get("continuation").get("percentFinished").asDouble())
                .isEqualTo(100.0);
        // Lines that came before a cut and those that a continuation brings are everything.
        var before = new HashSet<String>();
        for (JsonNode line : lines) {
            if (line.has("put")) {
                before.add(line.get("put").asString());
            } else if (line.has("continuation") && before.size() > puts / 2) {
                String token = line.get("continuation").get("token").asString();
                List<String> rest = everything(ROOT + "&stream=true&continuation=" + token);
                assertThat(rest).hasSize(fed.size() - before.size());
                assertThat(rest).doesNotContainAnyElementsOf(before);
                break;
            }
        }
    }

    @Test
    void goesOnOverFlushesRestartsAndDeployments() throws Exception {
        String target = ROOT + "&concurrency=3&wantedDocumentCount=" + (fed.size() / 6);
        var ids = new ArrayList<String>();
        JsonNode answer = get(target);
        ids.addAll(ids(answer));
        int parts = 1;
        while (continuation(answer).isPresent()) {
            switch (parts) {
                case 1 -> flush("one");
                case 2 -> restart();
                case 3 -> {
                    files.put(
                            "schemas/note.sd",
                            NOTE.replace("field year", "field more type string {}\n field year"));
                    deploy();
                }
                case 4 -> {
                    restart();
                    flush("two");
                }
                default -> {}
            }
            answer = get(target + "&continuation=" + continuation(answer).get());
            ids.addAll(ids(answer));
            parts++;
        }

        assertThat(parts).isGreaterThan(5);
        assertThat(ids).hasSize(fed.size());
        assertThat(new HashSet<>(ids)).isEqualTo(fed.keySet());
    }

    @Test
    void visitsGroupsNumbersAndSlicesOfThem() throws Exception {
        Set<String> anna = of("id:ns:note:g=anna:");
        assertThat(
                        new HashSet<>(
                                everything(
                                        "/document/v1/ns/note/group/anna/?wantedDocumentCount=99")))
                .isEqualTo(anna);
        assertThat(everything("/document/v1/ns/note/number/77?wantedDocumentCount=1000"))
                .hasSize(GROUPED);
        assertThat(everything("/document/v1/ns/tag/docid?wantedDocumentCount=1000")).hasSize(TAGS);
        assertThat(everything("/document/v1/other/tag/docid?wantedDocumentCount=1000")).isEmpty();
        for (String target : List.of(ROOT + "&", "/document/v1/ns/note/group/anna/?")) {
            var found = new ArrayList<String>();
            for (int slice = 0; slice < 3; slice++) {
                List<String> part =
                        everything(target + "wantedDocumentCount=100&slices=3&sliceId=" + slice);
                assertThat(part).isNotEmpty();
                found.addAll(part);
            }
            assertThat(found).hasSize(new HashSet<>(found).size());
            assertThat(new HashSet<>(found))
                    .isEqualTo(target.contains("anna") ? anna : fed.keySet());
        }
    }

    private Set<String> of(String prefix) {
        var ids = new HashSet<>(fed.keySet());
        ids.removeIf(id -> !id.startsWith(prefix));
        return ids;
    }

    @Test
    void selectsAndShowsWhatIsAskedFor() throws Exception {
        assertThat(everything(ROOT + "&stream=true" + selection("note.year >= 390"))).hasSize(530);
        assertThat(
                        everything(
                                ROOT
                                        + "&stream=true"
                                        + selection("note.year >= 390 and id.group == 'anna'")))
                .hasSize(10);
        assertThat(everything(ROOT + "&stream=true" + selection("not note"))).hasSize(TAGS);
        assertThat(everything(ROOT + "&stream=true" + selection("tag.name = 't1*'"))).hasSize(11);
        JsonNode one =
                get(ROOT + "&fieldSet=note:texts" + selection("id == 'id:ns:note::3'"))
                        .get("documents")
                        .get(0);
        assertThat(one.toString())
                .isEqualTo("{\"id\":\"id:ns:note::3\",\"fields\":{\"text\":\"Nöte \\\"3\\\"\"}}");
        assertThat(get(ROOT + "&fieldSet=%5Bid%5D").get("documents").get(0).get("fields"))
                .isEmpty();
        assertThat(
                        http.get(server.container().resolve(ROOT + selection("note.month == 1")))
                                .status())
                .isEqualTo(400);
    }

    @Test
    void tellsOfVersionsAndRemovals() throws Exception {
        JsonNode last = get(ROOT + "&stream=true&timestamps=true");
        long newest = 0;
        for (JsonNode each : last.get("documents")) {
            newest = Math.max(newest, each.get("timestamp").asLong());
        }
        assertThat(http.delete(server.container().resolve("/document/v1/ns/note/docid/3")).status())
                .isEqualTo(200);
        feed(List.of(note("id:ns:note::4", 1)));
        String since = ROOT + "&wantedDocumentCount=10&fromTimestamp=" + (newest + 1);

        for (boolean isFlushed : List.of(false, true)) {
            if (isFlushed) {
                flush("backup");
            }
            assertThat(everything(since)).containsExactly("id:ns:note::4");
            assertThat(everything(since + "&includeRemoves=true"))
                    .containsExactlyInAnyOrder("id:ns:note::3", "id:ns:note::4");
            assertThat(everything(ROOT + "&stream=true&toTimestamp=" + (newest + 1)))
                    .hasSize(fed.size() - 2);
        }
    }

    @Test
    void removesWhatIsSelectedInChunks() throws Exception {
        URI some =
                server.container()
                        .resolve(ROOT + "&timeChunk=60s" + selection("note.year < 100 or tag"));
        Http.Answer removed = http.delete(some);

        assertThat(removed.status()).as(removed.toString()).isEqualTo(200);
        assertThat(removed.body().get("documentCount").asInt()).isEqualTo(300 + TAGS);
        assertThat(removed.body().has("documents")).isFalse();
        assertThat(everything(ROOT + "&stream=true")).hasSize(fed.size() - 300 - TAGS);
        assertThat(http.delete(some).body().get("documentCount").asInt()).isZero();

        // As clients do that remove everything: with the continuation of each answer.
        String all =
                "/document/v1/ns/note/docid/?cluster=notes&selection=true&slices=1&sliceId=0&timeChunk=0.02s";
        int count = 0;
        Optional<String> continuation = Optional.empty();
        do {
            Http.Answer answer =
                    http.delete(
                            server.container()
                                    .resolve(
                                            all
                                                    + continuation
                                                            .map(token -> "&continuation=" + token)
                                                            .orElse("")));
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            count += answer.body().get("documentCount").asInt();
            continuation = continuation(answer.body());
        } while (continuation.isPresent());
        assertThat(count).isEqualTo(fed.size() - 300 - TAGS);
        restart();
        assertThat(everything(ROOT + "&stream=true")).isEmpty();
    }

    @Test
    void updatesWhatIsSelected() throws Exception {
        URI some =
                server.container()
                        .resolve(
                                "/document/v1/ns/note/docid/?cluster=notes"
                                        + selection("note.year < 100"));
        Http.Answer updated = put(some, "{\"fields\":{\"year\":{\"increment\":10000}}}");
        Http.Answer refused = put(some, "{\"fields\":{\"month\":{\"increment\":1}}}");

        assertThat(updated.status()).as(updated.toString()).isEqualTo(200);
        assertThat(updated.body().get("documentCount").asInt()).isEqualTo(300);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(everything(ROOT + "&stream=true" + selection("note.year < 100"))).isEmpty();
        assertThat(
                        everything(
                                ROOT
                                        + "&stream=true"
                                        + selection("note.year >= 10000 and note.year < 10100")))
                .hasSize(300);
    }

    private Http.Answer put(URI address, String body) throws Exception {
        HttpResponse<String> response =
                client.send(
                        HttpRequest.newBuilder(address)
                                .PUT(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString(UTF_8));
        return new Http.Answer(response.statusCode(), Http.JSON.readTree(response.body()));
    }

    @Test
    @Timeout(180)
    void letsDocumentsExpire() throws Exception {
        files.put(
                "services.xml",
                SERVICES.replace(
                                "<documents>",
                                "<documents garbage-collection=\"true\" garbage-collection-interval=\"1\">")
                        .replace(
                                "type=\"note\" mode=\"streaming\"",
                                "type=\"note\" mode=\"streaming\" selection=\"note.year &gt;= 300\""));
        deploy();

        List<String> left = everything(ROOT + "&stream=true");
        while (left.size() > 600 + 2 * 100 + TAGS) {
            left = everything(ROOT + "&stream=true");
        }

        assertThat(left).hasSize(600 + 2 * 100 + TAGS);
        var note = Http.JSON.createObjectNode();
        note.putObject("fields").put("year", 299);
        URI one = server.container().resolve("/document/v1/ns/note/docid/old");
        HttpResponse<String> ignored =
                client.send(
                        HttpRequest.newBuilder(one)
                                .POST(HttpRequest.BodyPublishers.ofString(note.toString()))
                                .build(),
                        HttpResponse.BodyHandlers.ofString(UTF_8));
        assertThat(ignored.statusCode()).isEqualTo(200);
        assertThat(ignored.headers().firstValue("X-Vespa-Ignored-Operation")).contains("true");
        assertThat(ignored.body()).contains("nothing was written");
        assertThat(http.get(one).status()).isEqualTo(404);
    }

    @Test
    void answersTheCommandLinesQuestions() throws Exception {
        Http.Answer probe =
                http.get(
                        server.container()
                                .resolve(
                                        "/document/v1/?cluster=%2A&wantedDocumentCount=1000&stream=false"));

        assertThat(probe.status()).isEqualTo(400);
        assertThat(probe.body().get("message").asString())
                .isEqualTo("Your Vespa deployment has no content cluster '*', only 'notes'");
        assertThat(everything(ROOT + "&wantedDocumentCount=1000&bucketSpace=global&stream=false"))
                .isEmpty();
    }
}
