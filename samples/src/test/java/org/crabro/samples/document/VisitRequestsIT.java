package org.crabro.samples.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Visits, and what exactly is answered. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VisitRequestsIT {
    private static final int NOTES = 300;
    private static final String LAST = "{\"continuation\":{\"percentFinished\":100.0}}";
    private static final String ALL = "/document/v1/ns/note/docid/?wantedDocumentCount=1000";

    @TempDir static Path data;

    private ServedPackage served;

    /** Plain notes, and as many of the group anna and the number 77, tags, and two cities. */
    @BeforeAll
    void start() throws Exception {
        served = new ServedPackage(data).deployed();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < NOTES; i++) {
            for (String key : List.of("", "g=anna", "n=77")) {
                lines.add(put("note", key, i, "\"year\":" + i));
            }
            lines.add(put("tag", "", i, "\"name\":\"t\""));
        }
        lines.add(put("city", "", 1, "\"name\":\"Oslo\""));
        lines.add(put("city", "", 2, "\"name\":\"Bergen\""));
        lines.add(put("note", "", 0, "\"year\":0").replace("id:ns:", "id:other:"));
        served.feed(lines);
    }

    @AfterAll
    void stop() {
        served.close();
    }

    private static String put(String type, String key, int i, String field) {
        return "{\"put\":\"id:ns:%s:%s:%d\",\"fields\":{%s}}".formatted(type, key, i, field);
    }

    private static Set<String> ids(String type, String key, int from, int to) {
        Set<String> ids = new TreeSet<>();
        for (int i = from; i < to; i++) {
            ids.add("id:ns:%s:%s:%d".formatted(type, key, i));
        }
        return ids;
    }

    private JsonNode visit(String target) throws Exception {
        Answer answer = served.get(target);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json();
    }

    /** Lines of a stream. */
    private List<String> lines(String target) throws Exception {
        Answer answer = served.get(target, "Accept", "application/jsonl");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/jsonl; charset=UTF-8");
        return answer.body().lines().toList();
    }

    private static Set<String> putIds(List<String> lines) {
        Set<String> ids = new TreeSet<>();
        for (String line : lines) {
            JsonNode json = Http.JSON.readTree(line);
            if (json.has("put")) {
                assertThat(ids.add(json.get("put").asString())).isTrue();
            }
        }
        return ids;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    @Test
    void bringsOneDocumentUnlessMoreAreWantedAndGoesOnToTheEnd() throws Exception {
        String target = "/document/v1/ns/note/group/anna?fieldSet=note:year";
        JsonNode first = visit(target);

        assertThat(first.propertyNames())
                .containsExactly("pathId", "documents", "documentCount", "continuation");
        assertThat(first.get("pathId").asString()).isEqualTo("/document/v1/ns/note/group/anna");
        assertThat(first.get("documentCount").asInt()).isEqualTo(1);
        assertThat(first.get("documents").get(0).propertyNames()).containsExactly("id", "fields");
        List<String> all = served.everything(target + "&wantedDocumentCount=7");
        assertThat(all).hasSize(NOTES).doesNotHaveDuplicates();
        assertThat(new TreeSet<>(all)).isEqualTo(ids("note", "g=anna", 0, NOTES));
        assertThat(served.everything(target + "&wantedDocumentCount=1000")).isEqualTo(all);
    }

    @Test
    void answersWithoutDocumentsWhereThereAreNone() throws Exception {
        String path = "/document/v1/ns/note/group/nobody/";

        assertThat(served.get(path).body())
                .isEqualTo("{\"pathId\":\"" + path + "\",\"documents\":[],\"documentCount\":0}");
    }

    @ParameterizedTest
    @CsvSource({"docid,''", "group/anna,g=anna", "number/77,n=77"})
    void slicesAreDisjointAndComplete(String path, String key) throws Exception {
        for (int slices : List.of(1, 3, 5)) {
            Set<String> together = new HashSet<>();
            int sum = 0;
            int most = 0;
            for (int slice = 0; slice < slices; slice++) {
                List<String> ids =
                        served.everything(
                                "/document/v1/ns/note/%s/?wantedDocumentCount=50&slices=%d&sliceId=%d"
                                        .formatted(path, slices, slice));
                together.addAll(ids);
                sum += ids.size();
                most = Math.max(most, ids.size());
            }
            Set<String> expected = new TreeSet<>(ids("note", key, 0, NOTES));
            if (path.equals("docid")) {
                expected.addAll(ids("note", "g=anna", 0, NOTES));
                expected.addAll(ids("note", "n=77", 0, NOTES));
            }
            assertThat(together).isEqualTo(expected);
            assertThat(sum).isEqualTo(expected.size());
            if (slices > 1) {
                assertThat(most).isLessThan(expected.size());
            }
        }
    }

    @Test
    void joinsSelectionPathAndNamespace() throws Exception {
        String selection = encoded("note.year >= 290 or note.year < 3");

        Set<String> expected = ids("note", "g=anna", 290, NOTES);
        expected.addAll(ids("note", "g=anna", 0, 3));
        assertThat(
                        new TreeSet<>(
                                served.everything(
                                        "/document/v1/ns/note/group/anna?wantedDocumentCount=1000&selection="
                                                + selection)))
                .isEqualTo(expected);
        assertThat(served.everything("/document/v1/other/note/docid/?selection=" + selection))
                .containsExactly("id:other:note::0");
        assertThat(
                        served.everything(
                                "/document/v1/?cluster=notes&wantedDocumentCount=1000&selection="
                                        + encoded("tag or note.year == 7")))
                .hasSize(NOTES + 3);
        assertThat(
                        served.everything(
                                "/document/v1/it's%20%22%5Cns/note/docid/?wantedDocumentCount=9"))
                .isEmpty();
    }

    @Test
    void keepsToVersionsOfATimeAndTellsOfRemovals() throws Exception {
        times(1);
        times(2);
        times(3);
        String path = "/document/v1/times/note/group/times?wantedDocumentCount=10";
        JsonNode all = visit(path + "&timestamps=true");
        List<Long> times = new ArrayList<>();
        for (JsonNode each : all.get("documents")) {
            times.add(each.get("timestamp").asLong());
        }
        assertThat(times).hasSize(3);
        long second =
                visit(path + "&timestamps=true&selection=" + encoded("note.year==2"))
                        .get("documents")
                        .get(0)
                        .get("timestamp")
                        .asLong();

        assertThat(served.everything(path + "&fromTimestamp=" + second))
                .containsExactlyInAnyOrder("id:times:note:g=times:2", "id:times:note:g=times:3");
        assertThat(served.everything(path + "&toTimestamp=" + second))
                .containsExactly("id:times:note:g=times:1");
        assertThat(
                        served.everything(
                                path + "&fromTimestamp=" + second + "&toTimestamp=" + (second + 1)))
                .containsExactly("id:times:note:g=times:2");
        assertThat(
                        served.get(path + "&fromTimestamp=" + second + "&toTimestamp=" + second)
                                .status())
                .isEqualTo(200);

        served.delete("/document/v1/times/note/group/times/2");
        assertThat(served.everything(path)).hasSize(2);
        Answer removes = served.get(path + "&includeRemoves=true");
        assertThat(removes.body()).contains("{\"remove\":\"id:times:note:g=times:2\"}");
        assertThat(removes.json().get("documentCount").asInt()).isEqualTo(3);
        assertThat(lines("/document/v1/times/note/group/times?stream=true&includeRemoves=true"))
                .contains("{\"remove\":\"id:times:note:g=times:2\"}");
    }

    private void times(int year) throws Exception {
        served.write("/document/v1/times/note/group/times/" + year, "\"year\":" + year);
    }

    /** Who asks for what came after the last time that was told misses nothing. */
    @Test
    void returnsEveryChangeOfAnInterval() throws Exception {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        String target =
                "/document/v1/changes/note/docid?wantedDocumentCount=100&includeRemoves=true"
                        + "&timestamps=true&fieldSet=note:year&fromTimestamp=";
        long last = 0;
        for (int round = 0; round < 10; round++) {
            var expected = new TreeMap<String, Integer>();
            for (int i = 0; i < 15; i++) {
                int number = random.nextInt(20);
                String path = "/document/v1/changes/note/docid/" + number;
                int year = random.nextInt(3);
                if (year == 0) {
                    served.delete(path);
                } else {
                    served.write(path, "\"year\":" + year);
                }
                expected.put("id:changes:note::" + number, year);
            }
            var told = new TreeMap<String, Integer>();
            for (JsonNode each : served.get(target + (last + 1)).json().get("documents")) {
                boolean isRemoved = each.has("remove");
                told.put(
                        each.get(isRemoved ? "remove" : "id").asString(),
                        isRemoved ? 0 : each.get("fields").get("year").asInt());
                last = Math.max(last, each.get("timestamp").asLong());
            }
            assertThat(told).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void visitsABucketSpace() throws Exception {
        String root = "/document/v1/?cluster=places&wantedDocumentCount=100";

        assertThat(served.everything(root + "&bucketSpace=global"))
                .containsExactlyInAnyOrder("id:ns:city::1", "id:ns:city::2");
        assertThat(served.everything(root)).doesNotContain("id:ns:city::1");
        // Where the path names a type, the space is known.
        assertThat(served.everything("/document/v1/ns/city/docid/?wantedDocumentCount=9"))
                .hasSize(2);
        Answer unknown = served.get(root + "&bucketSpace=outer");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.message()).contains("'default'", "'global'");
    }

    @Test
    void saysWhichClustersThereAre() throws Exception {
        assertThat(served.get("/document/v1/?cluster=%2A&wantedDocumentCount=1000").message())
                .isEqualTo(
                        "Your Vespa deployment has no content cluster '*', only 'notes', 'places'");
        assertThat(served.get("/document/v1/").message()).contains("'cluster'");
        assertThat(served.get("/document/v1/ns/nothere/docid/").message()).contains("nothere");
        assertThat(served.get("/document/v1/ns/city/docid/?cluster=notes").message())
                .isEqualTo(
                        "There is no document type 'city' in cluster 'notes', only 'note', 'tag'");
        for (String target :
                List.of(
                        "/document/v1/?cluster=x",
                        "/document/v1/",
                        "/document/v1/ns/nothere/docid/",
                        "/document/v1/ns/city/docid/?cluster=notes")) {
            Answer answer = served.get(target);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.json().propertyNames()).containsExactly("pathId", "message");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wantedDocumentCount=0",
                "wantedDocumentCount=x",
                "wantedDocumentCount=",
                "concurrency=0",
                "slices=2",
                "sliceId=0",
                "slices=0&sliceId=0",
                "slices=2&sliceId=2",
                "slices=2&sliceId=-1",
                "fromTimestamp=2&toTimestamp=1",
                "fromTimestamp=-1",
                "toTimestamp=now",
                "fieldSet=note:nothere",
                "fieldSet=nothere",
                "selection=note.",
                "selection=note.nothere%3D%3D1",
                "selection=nothere",
                "continuation=AAAA",
                "continuation=%21%21",
                "bucketSpace=x",
                "tracelevel=12",
                "timeout=x",
                "dryRun=true",
                "cluster=x"
            })
    void refusesWhatIsWrongBeforeAnythingIsStreamed(String query) throws Exception {
        for (String more : List.of("", "&stream=true")) {
            for (String accept : List.of("application/json", "application/jsonl")) {
                Answer answer =
                        served.get("/document/v1/ns/note/docid/?" + query + more, "Accept", accept);

                assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
                assertThat(answer.header("Content-Type"))
                        .isEqualTo("application/json; charset=UTF-8");
                assertThat(answer.json().propertyNames()).containsExactly("pathId", "message");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                                                | json",
                "*/*                                             | json",
                "application/*                                   | json",
                "application/json                                | json",
                "application/jsonl                               | lines",
                "application/json, application/jsonl             | lines",
                "application/json;q=0.9, application/jsonl;q=0.8 | json",
                "application/json;q=0.8, application/jsonl;q=0.9 | lines",
                "application/jsonl;q=0                           | json",
                "text/html, application/jsonl                    | lines",
                "application                                     | 400",
                "application/jsonl;q=high                        | 400",
                "application/jsonl;q=2                           | 400",
            })
    void answersInTheFormThatIsAccepted(String accept, String form) throws Exception {
        String target = "/document/v1/ns/note/group/anna?stream=true";
        Answer answer = accept == null ? served.get(target) : served.get(target, "Accept", accept);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(form.equals("400") ? 400 : 200);
        assertThat(answer.header("Content-Type"))
                .isEqualTo(
                        form.equals("lines")
                                ? "application/jsonl; charset=UTF-8"
                                : "application/json; charset=UTF-8");
        if (form.equals("json")) {
            assertThat(ServedPackage.ids(answer.json())).hasSize(NOTES);
            assertThat(answer.json().propertyNames())
                    .containsExactly("pathId", "documents", "documentCount");
        }
    }

    @Test
    void writesLinesToTheLetter() throws Exception {
        served.write(
                "/document/v1/letter/note/group/letter/1",
                "\"text\":\"Nöte \\\"1\\\"\",\"year\":1");
        List<String> lines = lines("/document/v1/letter/note/group/letter?stream=true");

        assertThat(lines.getFirst())
                .isEqualTo(
                        "{\"put\":\"id:letter:note:g=letter:1\",\"fields\":{\"text\":\"Nöte"
                                + " \\\"1\\\"\",\"year\":1}}");
        assertThat(lines.get(1))
                .matches(
                        "\\{\"continuation\":\\{\"token\":\"[^\"]+\",\"percentFinished\":[0-9.]+}}");
        assertThat(lines.get(lines.size() - 2))
                .isEqualTo("{\"sessionStats\":{\"documentCount\":1}}");
        assertThat(lines.getLast()).isEqualTo(LAST);
        List<String> traced =
                lines("/document/v1/letter/note/group/letter?stream=true&tracelevel=1");
        JsonNode trace = Http.JSON.readTree(traced.get(traced.size() - 2));
        assertThat(trace.propertyNames()).containsExactly("sessionTrace");
        assertThat(trace.get("sessionTrace").get("trace").size()).isPositive();
        // Also where it is no stream, which Vespa answers with an object then.
        List<String> plain = lines("/document/v1/ns/note/group/anna?wantedDocumentCount=2");
        assertThat(putIds(plain)).hasSize(2);
        assertThat(Http.JSON.readTree(plain.getLast()).get("continuation").has("token")).isTrue();
    }

    @Test
    void streamsEverythingByDefault() throws Exception {
        List<String> lines = lines("/document/v1/ns/note/docid/?stream=true");

        assertThat(putIds(lines)).hasSize(3 * NOTES);
        assertThat(lines.getLast()).isEqualTo(LAST);
        assertThat(
                        Http.JSON
                                .readTree(lines.get(lines.size() - 2))
                                .get("sessionStats")
                                .get("documentCount")
                                .asInt())
                .isEqualTo(3 * NOTES);
        // Vespa's command line says how many it wants, and takes a last line with a token for a
        // stream that broke off.
        List<String> all = lines("/document/v1/ns/note/docid/?stream=true&wantedDocumentCount=10");
        assertThat(putIds(all)).hasSize(3 * NOTES);
        assertThat(all.getLast()).isEqualTo(LAST);
        Answer some = served.get("/document/v1/ns/note/docid/?stream=true&wantedDocumentCount=10");
        assertThat(ServedPackage.ids(some.json())).hasSize(10);
        assertThat(some.json().has("continuation")).isTrue();
    }

    /**
     * A connection that breaks after any line loses nothing where it goes on from the last token.
     */
    @Test
    void goesOnFromTheLastTokenAfterACut() throws Exception {
        List<String> many = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            many.add(
                    put("note", "g=cut" + i % 40, i, "\"text\":\"" + "w ".repeat(2_000) + "\"")
                            .replace("id:ns:", "id:cut:"));
        }
        served.feed(many);
        String target = "/document/v1/?cluster=notes&stream=true&selection=" + encoded("note.text");
        Set<String> expected = putIds(lines(target));
        assertThat(expected).hasSizeGreaterThanOrEqualTo(400);

        for (int cut : List.of(1, 40, 150, 399)) {
            Set<String> seen = new TreeSet<>();
            String token = "";
            try (Socket socket =
                            served.open(
                                    "GET "
                                            + target
                                            + " HTTP/1.0\r\nAccept: application/jsonl\r\n\r\n");
                    var reader =
                            new BufferedReader(
                                    new InputStreamReader(socket.getInputStream(), UTF_8))) {
                int puts = 0;
                while (puts < cut) {
                    String line = reader.readLine();
                    if (line.startsWith("{\"put\"")) {
                        puts++;
                        seen.add(Http.JSON.readTree(line).get("put").asString());
                    } else if (line.startsWith("{\"continuation\"")) {
                        token =
                                Http.JSON
                                        .readTree(line)
                                        .get("continuation")
                                        .get("token")
                                        .asString();
                    }
                }
            }
            seen.addAll(putIds(lines(target + (token.isEmpty() ? "" : "&continuation=" + token))));
            assertThat(seen).isEqualTo(expected);
        }
    }

    @Test
    void answersATimeoutByWhetherAnythingWasVisited() throws Exception {
        String path = "/document/v1/?cluster=notes&wantedDocumentCount=100000";
        Answer nothing = served.get(path + "&timeout=0.001ms");

        if (nothing.status() == 504) {
            assertThat(nothing.json().get("documents").size()).isZero();
            assertThat(nothing.json().get("documentCount").asInt()).isZero();
            assertThat(nothing.message()).contains("No buckets visited within");
        } else {
            // A page came within the millisecond that a visit always has.
            assertThat(nothing.json().has("continuation")).isTrue();
        }
        // Whatever the time, answer after answer comes to the end.
        Set<String> seen = new TreeSet<>();
        String token = "";
        boolean isTimedOut = false;
        for (int timeout = 1; ; timeout++) {
            Answer answer =
                    served.get(
                            path
                                    + "&timeout="
                                    + timeout
                                    + "ms"
                                    + (token.isEmpty() ? "" : "&continuation=" + token));
            if (answer.status() == 504) {
                isTimedOut = true;
                continue;
            }
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            seen.addAll(ServedPackage.ids(answer.json()));
            if (!answer.json().has("continuation")) {
                break;
            }
            isTimedOut = true;
            token = answer.json().get("continuation").asString();
        }
        assertThat(isTimedOut).isTrue();
        assertThat(seen).isEqualTo(new TreeSet<>(served.everything(path)));
    }

    @Test
    void refusesTokensOfOtherVisits() throws Exception {
        String group = "/document/v1/ns/note/group/anna?wantedDocumentCount=3";
        String token = visit(group).get("continuation").asString();

        assertThat(token).matches("[A-Za-z0-9_=-]+");
        assertThat(served.get(ALL + "&continuation=" + token).status()).isEqualTo(400);
        assertThat(served.get(group + "&slices=2&sliceId=0&continuation=" + token).status())
                .isEqualTo(400);
        assertThat(served.get(group + "&continuation=" + token).status()).isEqualTo(200);
    }

    @Test
    void showsTheFieldsAskedFor() throws Exception {
        String path = "/document/v1/ns/note/group/anna?wantedDocumentCount=1&fieldSet=";
        for (String none : List.of("%5Bid%5D", "%5Bdocid%5D", "%5Bnone%5D")) {
            assertThat(visit(path + none).get("documents").get(0).get("fields").isEmpty()).isTrue();
        }
        for (String year :
                List.of("note:year", "%5Ball%5D", "%5Bdocument%5D", "note:%5Bdocument%5D")) {
            assertThat(visit(path + year).get("documents").get(0).get("fields").propertyNames())
                    .containsExactly("year");
        }
        assertThat(visit(path + "note:texts").get("documents").get(0).get("fields").isEmpty())
                .isTrue();
    }
}
