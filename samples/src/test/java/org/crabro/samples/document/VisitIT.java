package org.crabro.samples.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.client.feed.FeedClient;
import org.crabro.client.feed.FeedResult;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.ServedPackage;
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
            NotesApplication.SERVICES.replace(
                    "</documents>", "<document type=\"tag\" mode=\"streaming\"/></documents>");

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

    private final Map<String, JsonNode> fed = new HashMap<>();
    private ServedPackage server;

    @BeforeEach
    void start() throws Exception {
        server =
                ServedPackage.of(
                        directory.resolve("data"),
                        Map.of(
                                "services.xml",
                                SERVICES,
                                "schemas/note.sd",
                                NOTE,
                                "schemas/tag.sd",
                                TAG));
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
        try (var feeder = new FeedClient(server.container("/"), 32)) {
            FeedResult result =
                    feeder.feed(
                            new ByteArrayInputStream(String.join("\n", lines).getBytes(UTF_8)),
                            _ -> {});
            assertThat(result.problems()).isEmpty();
        }
    }

    private void flush(String name) throws Exception {
        server.backUp(directory.resolve(name));
    }

    private JsonNode get(String target) throws Exception {
        return json(server.get(target));
    }

    private static JsonNode json(ServedPackage.Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json();
    }

    /** The lines of an answer, which has to say at its end that it is whole. */
    private List<JsonNode> lines(String target) throws Exception {
        ServedPackage.Answer answer =
                server.get(target, "Accept", "application/json, application/jsonl");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/jsonl; charset=UTF-8");
        var lines = new ArrayList<JsonNode>();
        answer.body().lines().forEach(line -> lines.add(Http.JSON.readTree(line)));
        assertThat(lines.getLast().get("continuation").has("token")).isFalse();
        return lines;
    }

    private static Optional<String> continuation(JsonNode answer) {
        return Optional.ofNullable(answer.get("continuation")).map(JsonNode::asString);
    }

    private List<String> everything(String target) throws Exception {
        return server.everything(target);
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
            assertThat(ServedPackage.ids(get(ROOT))).hasSize(1);
            List<String> ids = everything(ROOT + "&wantedDocumentCount=137");
            assertThat(ids).hasSize(fed.size());
            assertThat(new HashSet<>(ids)).isEqualTo(fed.keySet());

            JsonNode streamed = get(ROOT + "&stream=true&concurrency=4&format.tensors=short-value");
            assertThat(ServedPackage.ids(streamed)).hasSize(fed.size());
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
                List<String> following = everything(ROOT + "&stream=true&continuation=" + token);
                assertThat(following).hasSize(fed.size() - before.size());
                assertThat(following).doesNotContainAnyElementsOf(before);
                break;
            }
        }
    }

    @Test
    void goesOnOverFlushesRestartsAndDeployments() throws Exception {
        String target = ROOT + "&concurrency=3&wantedDocumentCount=" + (fed.size() / 6);
        var ids = new ArrayList<String>();
        JsonNode answer = get(target);
        ids.addAll(ServedPackage.ids(answer));
        int parts = 1;
        while (continuation(answer).isPresent()) {
            switch (parts) {
                case 1 -> flush("one");
                case 2 -> server.restart();
                case 3 ->
                        server.change(
                                "schemas/note.sd",
                                NOTE.replace(
                                        "field year", "field more type string {}\n field year"));
                case 4 -> {
                    server.restart();
                    flush("two");
                }
                default -> {}
            }
            answer = get(target + "&continuation=" + continuation(answer).get());
            ids.addAll(ServedPackage.ids(answer));
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
            var ids = new ArrayList<String>();
            for (int slice = 0; slice < 3; slice++) {
                List<String> part =
                        everything(target + "wantedDocumentCount=100&slices=3&sliceId=" + slice);
                assertThat(part).isNotEmpty();
                ids.addAll(part);
            }
            assertThat(ids).hasSize(new HashSet<>(ids).size());
            assertThat(new HashSet<>(ids)).isEqualTo(target.contains("anna") ? anna : fed.keySet());
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
        assertThat(server.get(ROOT + selection("note.month == 1")).status()).isEqualTo(400);
    }

    @Test
    void returnsVersionsAndRemovals() throws Exception {
        JsonNode last = get(ROOT + "&stream=true&timestamps=true");
        long newest = 0;
        for (JsonNode each : last.get("documents")) {
            newest = Math.max(newest, each.get("timestamp").asLong());
        }
        assertThat(server.delete("/document/v1/ns/note/docid/3").status()).isEqualTo(200);
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
        String some = ROOT + "&timeChunk=60s" + selection("note.year < 100 or tag");
        JsonNode removed = json(server.delete(some));

        assertThat(removed.get("documentCount").asInt()).isEqualTo(300 + TAGS);
        assertThat(removed.has("documents")).isFalse();
        assertThat(everything(ROOT + "&stream=true")).hasSize(fed.size() - 300 - TAGS);
        assertThat(json(server.delete(some)).get("documentCount").asInt()).isZero();

        // As clients do that remove everything: with the continuation of each answer.
        String all =
                "/document/v1/ns/note/docid/?cluster=notes&selection=true&slices=1&sliceId=0&timeChunk=0.02s";
        int count = 0;
        Optional<String> continuation = Optional.empty();
        do {
            JsonNode answer =
                    json(
                            server.delete(
                                    all
                                            + continuation
                                                    .map(token -> "&continuation=" + token)
                                                    .orElse("")));
            count += answer.get("documentCount").asInt();
            continuation = continuation(answer);
        } while (continuation.isPresent());
        assertThat(count).isEqualTo(fed.size() - 300 - TAGS);
        server.restart();
        assertThat(everything(ROOT + "&stream=true")).isEmpty();
    }

    @Test
    void updatesWhatIsSelected() throws Exception {
        String some = "/document/v1/ns/note/docid/?cluster=notes" + selection("note.year < 100");
        JsonNode updated = json(server.put(some, "{\"fields\":{\"year\":{\"increment\":10000}}}"));
        ServedPackage.Answer refused =
                server.put(some, "{\"fields\":{\"month\":{\"increment\":1}}}");

        assertThat(updated.get("documentCount").asInt()).isEqualTo(300);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(everything(ROOT + "&stream=true" + selection("note.year < 100"))).isEmpty();
        assertThat(
                        everything(
                                ROOT
                                        + "&stream=true"
                                        + selection("note.year >= 10000 and note.year < 10100")))
                .hasSize(300);
    }

    @Test
    @Timeout(180)
    void letsDocumentsExpire() throws Exception {
        server.deploy(
                SERVICES.replace(
                                "<documents>",
                                "<documents garbage-collection=\"true\" garbage-collection-interval=\"1\">")
                        .replace(
                                "type=\"note\" mode=\"streaming\"",
                                "type=\"note\" mode=\"streaming\" selection=\"note.year &gt;= 300\""));

        List<String> left = everything(ROOT + "&stream=true");
        while (left.size() > 600 + 2 * 100 + TAGS) {
            left = everything(ROOT + "&stream=true");
        }

        assertThat(left).hasSize(600 + 2 * 100 + TAGS);
        String one = "/document/v1/ns/note/docid/old";
        ServedPackage.Answer ignored = server.post(one, "{\"fields\":{\"year\":299}}");
        assertThat(ignored.status()).isEqualTo(200);
        assertThat(ignored.header("X-Vespa-Ignored-Operation")).isEqualTo("true");
        assertThat(ignored.body()).contains("nothing was written");
        assertThat(server.get(one).status()).isEqualTo(404);
    }

    @Test
    void answersTheCommandLinesQuestions() throws Exception {
        ServedPackage.Answer probe =
                server.get("/document/v1/?cluster=%2A&wantedDocumentCount=1000&stream=false");

        assertThat(probe.status()).isEqualTo(400);
        assertThat(probe.message())
                .isEqualTo("Your Vespa deployment has no content cluster '*', only 'notes'");
        assertThat(everything(ROOT + "&wantedDocumentCount=1000&bucketSpace=global&stream=false"))
                .isEmpty();
    }
}
