package org.crabro.container.visit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.visit.VisitReply;
import org.eclipse.jetty.http.HttpTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Talks HTTP to the handler in memory; documents are in a map. */
class VisitHandlerTest {
    private static final String ROOT = "/document/v1/?cluster=content";
    private static final String MUSIC = "/document/v1/ns/music/docid/";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final PagedDocuments documents = new PagedDocuments(VisitedApplication.types());
    private final VisitSettings settings = new VisitSettings(4, 4, 7, 100_000);
    private final VisitAdmission admission = new VisitAdmission(settings);
    private final VisitConnection connection;
    private final Set<String> all = new HashSet<>();

    VisitHandlerTest() throws Exception {
        connection =
                new VisitConnection(
                        VisitConnection.handler(
                                documents,
                                VisitConnection.NO_WRITES,
                                VisitConnection.NO_REMOVALS,
                                Duration.ofSeconds(30),
                                settings,
                                admission));
        for (int i = 0; i < 100; i++) {
            put("id:ns:music::" + i, i, 1_000 + i);
        }
        for (int i = 0; i < 20; i++) {
            put("id:ns:music:g=anna:" + i, i, 2_000 + i);
            put("id:ns:books:n=7:" + i, i, 3_000 + i);
            put("id:other:music::" + i, i, 4_000 + i);
        }
    }

    @AfterEach
    void stop() throws Exception {
        connection.close();
        assertThat(admission.ranges()).isZero();
    }

    private void put(String id, int year, long timestamp) {
        DocumentId parsed = DocumentId.parse(id);
        documents.put(
                new Document(
                        parsed,
                        Map.of(
                                "title",
                                new FieldValue.StringValue("t" + year),
                                "year",
                                new FieldValue.IntValue(year),
                                "derived",
                                new FieldValue.StringValue("d"))),
                timestamp);
        all.add(id);
    }

    private HttpTester.Response get(String target, String... headers) throws Exception {
        return connection.send("GET", target, headers);
    }

    private JsonNode json(String target, String... headers) throws Exception {
        HttpTester.Response response = get(target, headers);
        assertThat(response.getStatus()).as(response.getContent()).isEqualTo(200);
        return JSON.readTree(response.getContent());
    }

    private void refused(String target, int status, String message) throws Exception {
        HttpTester.Response response = get(target);
        assertThat(response.getStatus()).as(target).isEqualTo(status);
        JsonNode body = JSON.readTree(response.getContent());
        assertThat(body.get("pathId").asString()).isEqualTo(target.replaceAll("\\?.*", ""));
        assertThat(body.get("message").asString()).contains(message);
        assertThat(documents.pages()).isZero();
    }

    private static List<String> ids(JsonNode body) {
        var ids = new ArrayList<String>();
        for (JsonNode each : body.get("documents")) {
            ids.add(each.get(each.has("id") ? "id" : "remove").asString());
        }
        return ids;
    }

    /** Visits to the end, as clients do: with the continuation of each answer. */
    private List<String> everything(String target) throws Exception {
        var ids = new ArrayList<String>();
        Optional<String> continuation = Optional.empty();
        do {
            JsonNode body =
                    json(target + continuation.map(token -> "&continuation=" + token).orElse(""));
            List<String> visited = ids(body);
            assertThat(body.get("documentCount").asInt()).isEqualTo(visited.size());
            ids.addAll(visited);
            continuation = Optional.ofNullable(body.get("continuation")).map(JsonNode::asString);
        } while (continuation.isPresent());
        return ids;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void answersOneDocumentUnlessMoreAreWanted() throws Exception {
        JsonNode body = json(MUSIC);

        assertThat(body.get("pathId").asString()).isEqualTo(MUSIC);
        assertThat(body.get("documentCount").asInt()).isEqualTo(1);
        assertThat(body.get("continuation").asString()).matches("[A-Za-z0-9_-]+");
        JsonNode first = body.get("documents").get(0);
        assertThat(first.get("fields").propertyNames()).containsExactly("title", "year");
    }

    @ParameterizedTest
    @CsvSource({"1,1", "3,1", "7,1", "40,1", "1000,1", "1,5", "10,3", "25,16", "1000,4"})
    void bringsEveryDocumentOnceByContinuations(int wanted, int concurrency) throws Exception {
        String target =
                ROOT
                        + "&wantedDocumentCount="
                        + wanted
                        + "&concurrency="
                        + Math.min(4, concurrency);

        List<String> ids = everything(target);

        assertThat(ids).hasSize(all.size());
        assertThat(new HashSet<>(ids)).isEqualTo(all);
        assertThat(json(target).get("documentCount").asInt())
                .isEqualTo(Math.min(wanted, all.size()));
    }

    @Test
    void bringsDocumentsInTheOrderOfTheirKeys() throws Exception {
        List<String> ids = ids(json(ROOT + "&wantedDocumentCount=1000"));

        assertThat(ids)
                .isSortedAccordingTo((a, b) -> Integer.compareUnsigned(key(a), key(b)))
                .hasSize(all.size());
    }

    private static int key(String id) {
        return Integer.reverse((int) DocumentId.parse(id).location());
    }

    @Test
    void visitsWhatThePathSays() throws Exception {
        assertThat(ids(json(MUSIC + "?wantedDocumentCount=1000")))
                .hasSize(120)
                .allMatch(id -> id.startsWith("id:ns:music:"));
        assertThat(everything("/document/v1/ns/music/group/anna/?wantedDocumentCount=3"))
                .hasSize(20)
                .allMatch(id -> id.startsWith("id:ns:music:g=anna:"));
        assertThat(everything("/document/v1/ns/books/number/7/?wantedDocumentCount=3"))
                .hasSize(20)
                .allMatch(id -> id.startsWith("id:ns:books:n=7:"));
        assertThat(ids(json("/document/v1/ns/books/number/8/?wantedDocumentCount=3"))).isEmpty();
    }

    @Test
    void separatesPathsFromSelections() throws Exception {
        put("id:it's:music:g=o'ne\\:1", 1, 1);
        put("id:ns:music:n=18446744073709551615:1", 1, 1);
        put("id:ns:music:n=9223372036854775808:1", 1, 1);

        assertThat(ids(json("/document/v1/it's/music/group/o'ne%5C/"))).hasSize(1);
        assertThat(ids(json("/document/v1/ns/music/number/18446744073709551615/"))).hasSize(1);
        assertThat(ids(json("/document/v1/ns/music/number/9223372036854775808/"))).hasSize(1);
        assertThat(ids(json("/document/v1/ns/music/group/x'%20or%20true%20or%20'/"))).isEmpty();
    }

    @Test
    void readsOnlyPartitionsThatTheSelectionConfinesTo() throws Exception {
        String selection = encoded("id.group == 'anna' or id = 'id:ns:music:g=anna:3'");

        assertThat(ids(json(ROOT + "&wantedDocumentCount=1000&selection=" + selection)))
                .hasSize(20);
        // Three full pages of seven, the last of them not full.
        assertThat(documents.pages()).isEqualTo(3);
    }

    @Test
    void selects() throws Exception {
        String target = ROOT + "&wantedDocumentCount=5&selection=";

        assertThat(everything(target + encoded("music.year >= 90"))).hasSize(10);
        assertThat(everything(target + encoded("not music"))).hasSize(20);
        assertThat(everything(target + encoded("books or music.year == 3"))).hasSize(23);
        assertThat(everything(target + encoded("id.namespace == 'other'"))).hasSize(20);
        assertThat(everything(target + encoded("false"))).isEmpty();
        assertThat(everything(MUSIC + "?selection=" + encoded("music.year < 2 or books")))
                .hasSize(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    /document/v1/?cluster=*     | Your Vespa deployment has no content cluster '*', only 'content', 'archive'
                    /document/v1/ns/music/docid/?cluster=x | Your Vespa deployment has no content cluster 'x', only 'content', 'archive'
                    /document/v1/               | Must set 'cluster' parameter
                    /document/v1/ns/films/docid/?cluster=content | There is no document type 'films' in cluster 'content', only 'music', 'books', 'labels'
                    /document/v1/ns/films/docid/ | There is no document type 'films' in any of the content clusters 'content', 'archive'
                    /document/v1/?cluster=      | has no value
                    """)
    void namesTheClusters(String target, String message) throws Exception {
        refused(target, 400, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    selection=music.             | position 6
                    selection=music.x==1         | x
                    selection=films              | films
                    selection=true)or(true       | position 4
                    fieldSet=[some]              | unknown field set
                    fieldSet=films:title         | not visited
                    fieldSet=music:tilte         | no field or fieldset 'tilte'
                    wantedDocumentCount=0        | whole number from 1
                    wantedDocumentCount=x        | whole number from 1
                    concurrency=0                | whole number from 1
                    slices=2                     | 'sliceId' is missing
                    sliceId=0                    | 'slices' is missing
                    slices=2&sliceId=2           | from 0 to 1
                    slices=0&sliceId=0           | from 1 to
                    slices=2&sliceId=-1          | from 0 to 1
                    bucketSpace=local            | only 'default' and 'global'
                    fromTimestamp=x              | microseconds
                    fromTimestamp=2&toTimestamp=1 | before 'fromTimestamp'
                    dryRun=true                  | may not specify 'dryRun'
                    tracelevel=10                | from 0 to 9
                    timeout=x                    | not a time
                    continuation=AAAA            | cannot be used
                    continuation=%25             | base64url
                    """)
    void refusesParametersBeforeItAnswers(String parameter, String message) throws Exception {
        refused(ROOT + "&" + parameter.replace("[", "%5B").replace("]", "%5D"), 400, message);
        refused(
                ROOT + "&stream=true&" + parameter.replace("[", "%5B").replace("]", "%5D"),
                400,
                message);
    }

    @Test
    void refusesContinuationsOfOtherVisits() throws Exception {
        String token = json(ROOT).get("continuation").asString();
        String sliced = json(ROOT + "&slices=4&sliceId=1").get("continuation").asString();

        String continuation = "&continuation=" + token;
        assertThat(get(ROOT + continuation).getStatus()).isEqualTo(200);
        for (String target :
                List.of(
                        "/document/v1/ns/music/group/anna/?cluster=content" + continuation,
                        ROOT + "&slices=4&sliceId=1" + continuation,
                        ROOT + "&slices=4&sliceId=0&continuation=" + sliced,
                        ROOT + "&continuation=" + token.substring(1),
                        ROOT + "&continuation=" + token.substring(0, token.length() - 4),
                        ROOT
                                + "&continuation="
                                + (token.startsWith("A") ? "B" : "A")
                                + token.substring(1))) {
            HttpTester.Response response = get(target);
            assertThat(response.getStatus()).as(target).isEqualTo(400);
            assertThat(response.getContent()).contains("continuation cannot be used");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    [all]         | title,year,derived
                    [document]    | title,year
                    [id]          | ''
                    music:title   | title
                    music:titles  | title
                    music:[all]   | title,year,derived
                    """)
    void showsTheFieldsOfTheSet(String fieldSet, String names) throws Exception {
        JsonNode body = json(MUSIC + "?fieldSet=" + encoded(fieldSet));

        assertThat(String.join(",", body.get("documents").get(0).get("fields").propertyNames()))
                .isEqualTo(names);
    }

    @Test
    void showsNothingOfOtherTypesThanTheFieldSetIsOf() throws Exception {
        JsonNode body = json(ROOT + "&wantedDocumentCount=1000&fieldSet=books:year");

        for (JsonNode each : body.get("documents")) {
            boolean isBook = each.get("id").asString().contains(":books:");
            assertThat(each.get("fields").propertyNames()).hasSize(isBook ? 1 : 0);
        }
    }

    @Test
    void bringsEveryDocumentInExactlyOneSlice() throws Exception {
        var counts = new HashMap<String, Integer>();
        for (int slice = 0; slice < 3; slice++) {
            for (String id :
                    everything(ROOT + "&wantedDocumentCount=9&slices=3&sliceId=" + slice)) {
                counts.merge(id, 1, Integer::sum);
            }
        }

        assertThat(counts.keySet()).isEqualTo(all);
        assertThat(counts.values()).containsOnly(1);
    }

    @Test
    void bringsVersionsOfATimeAndRemovals() throws Exception {
        documents.remove(DocumentId.parse("id:ns:music::3"), 9_000);
        String target = ROOT + "&wantedDocumentCount=50";

        assertThat(everything(target + "&fromTimestamp=2000&toTimestamp=2010")).hasSize(10);
        assertThat(everything(target + "&fromTimestamp=4019")).hasSize(1);
        assertThat(everything(target + "&fromTimestamp=4019&toTimestamp=0&includeRemoves=true"))
                .containsExactlyInAnyOrder("id:other:music::19", "id:ns:music::3");
        assertThat(everything(target + "&toTimestamp=18446744073709551615")).hasSize(159);
        assertThat(everything(target + "&fromTimestamp=1000&toTimestamp=1000")).isEmpty();
        assertThat(
                        json(target + "&fromTimestamp=9000&includeRemoves=true&timestamps=true")
                                .get("documents")
                                .toString())
                .isEqualTo("[{\"remove\":\"id:ns:music::3\",\"timestamp\":9000}]");
    }

    @Test
    void visitsABucketSpace() throws Exception {
        put("id:ns:labels::1", 1, 1);

        assertThat(everything(ROOT + "&bucketSpace=global")).containsExactly("id:ns:labels::1");
        assertThat(everything(ROOT + "&bucketSpace=default&wantedDocumentCount=99")).hasSize(160);
        // The path determines the bucket space.
        assertThat(everything("/document/v1/ns/labels/docid/?bucketSpace=default")).hasSize(1);
        JsonNode none = json("/document/v1/?cluster=archive");
        assertThat(none.get("documents")).isEmpty();
        assertThat(none.get("documentCount").asInt()).isZero();
        assertThat(none.has("continuation")).isFalse();
    }

    @Test
    void streamsAnObject() throws Exception {
        HttpTester.Response response = get(ROOT + "&stream=true");
        JsonNode body = JSON.readTree(response.getContent());

        assertThat(response.get("Content-Type"))
                .isEqualToIgnoringCase("application/json; charset=UTF-8");
        assertThat(body.propertyNames()).containsExactly("pathId", "documents", "documentCount");
        assertThat(new HashSet<>(ids(body))).isEqualTo(all);
        assertThat(body.get("documentCount").asInt()).isEqualTo(all.size());
    }

    @Test
    void streamsLines() throws Exception {
        HttpTester.Response response =
                get(
                        MUSIC + "?stream=true&selection=" + encoded("id.namespace == 'ns'"),
                        "Accept: application/json, application/jsonl");

        assertThat(response.get("Content-Type")).isEqualTo("application/jsonl; charset=UTF-8");
        assertThat(response.getContent()).endsWith("\n");
        var puts = new HashSet<String>();
        var kinds = new TreeMap<String, Integer>();
        List<String> lines = response.getContent().lines().toList();
        double percent = 0;
        for (String line : lines) {
            JsonNode object = JSON.readTree(line);
            kinds.merge(object.propertyNames().iterator().next(), 1, Integer::sum);
            if (object.has("put")) {
                puts.add(object.get("put").asString());
                assertThat(object.get("fields").has("year")).isTrue();
            }
            if (object.has("continuation")) {
                double now = object.get("continuation").get("percentFinished").asDouble();
                assertThat(now).isBetween(percent, 100.0);
                percent = now;
            }
        }
        assertThat(puts).hasSize(120);
        assertThat(kinds.keySet()).containsExactly("continuation", "put", "sessionStats");
        assertThat(lines.get(lines.size() - 2))
                .isEqualTo("{\"sessionStats\":{\"documentCount\":120}}");
        assertThat(lines.getLast()).isEqualTo("{\"continuation\":{\"percentFinished\":100.0}}");
    }

    @Test
    void goesOnAfterAnyLine() throws Exception {
        List<String> lines =
                get(ROOT + "&stream=true&concurrency=3", "Accept: application/jsonl")
                        .getContent()
                        .lines()
                        .toList();
        var seen = new HashSet<String>();
        for (String line : lines) {
            JsonNode object = JSON.readTree(line);
            if (object.has("put")) {
                seen.add(object.get("put").asString());
            } else if (object.has("continuation") && object.get("continuation").has("token")) {
                String token = object.get("continuation").get("token").asString();
                List<String> following = everything(ROOT + "&stream=true&continuation=" + token);
                assertThat(following).doesNotContainAnyElementsOf(seen);
                assertThat(following).hasSize(all.size() - seen.size());
            }
        }
        assertThat(seen).isEqualTo(all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    application/jsonl                          | true
                    application/json, application/jsonl        | true
                    application/jsonl;q=0.5, application/json;q=0.6 | false
                    application/jsonl;q=0.6, application/json;q=0.5 | true
                    application/jsonl, */*                     | true
                    application/jsonl;q=0.1, */*               | false
                    application/jsonl;q=0                      | false
                    */*                                        | false
                    application/*                              | false
                    text/html                                  | false
                    """)
    void answersInTheFormThatClientsAccept(String accept, boolean isLines) throws Exception {
        HttpTester.Response streamed = get(ROOT + "&stream=true", "Accept: " + accept);
        HttpTester.Response plain = get(ROOT, "Accept: " + accept);

        String expected = isLines ? "application/jsonl" : "application/json";
        assertThat(streamed.get("Content-Type"))
                .isEqualToIgnoringCase(expected + "; charset=UTF-8");
        assertThat(plain.get("Content-Type")).isEqualToIgnoringCase(expected + "; charset=UTF-8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"json", "application/json;q=2", "application/json;q=x", "a/b/c", "/", ","})
    void refusesAcceptsThatAreNone(String accept) throws Exception {
        HttpTester.Response response = get(ROOT + "&stream=true", "Accept: " + accept);

        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(response.getContent()).contains("header Accept");
    }

    @Test
    void showsATrace() throws Exception {
        JsonNode body = json(ROOT + "&wantedDocumentCount=3&tracelevel=1");
        String lines = get(ROOT + "&tracelevel=1", "Accept: application/jsonl").getContent();

        assertThat(body.get("trace").get(0).get("message").asString()).contains("3 documents");
        assertThat(lines).contains("{\"sessionTrace\":{\"trace\":[{\"message\":\"");
    }

    @Test
    void answersWithAContinuationWhenTimeIsUp() throws Exception {
        documents.answerInstead(page ->
                page == 3
                        ? Optional.of(new PageReply.Answered(new VisitReply.TimedOut()))
                        : Optional.empty());

        JsonNode body = json(ROOT + "&wantedDocumentCount=1000");

        assertThat(ids(body)).isNotEmpty();
        assertThat(body.has("message")).isFalse();
        List<String> remaining =
                everything(
                        ROOT
                                + "&wantedDocumentCount=1000&continuation="
                                + body.get("continuation").asString());
        assertThat(remaining).hasSize(all.size() - ids(body).size());
    }

    @Test
    void answers504WhereTimeIsUpBeforeAnything() throws Exception {
        documents.answerInstead(
                _ -> Optional.of(new PageReply.Answered(new VisitReply.TimedOut())));

        HttpTester.Response plain = get(ROOT + "&timeout=2s");
        HttpTester.Response streamed = get(ROOT + "&timeout=2s&stream=true");

        assertThat(plain.getStatus()).isEqualTo(504);
        assertThat(plain.getContent())
                .startsWith(
                        "{\"pathId\":\"/document/v1/\",\"documents\":[],\"documentCount\":0,\"message\":")
                .doesNotContain("continuation\":");
        assertThat(streamed.getStatus()).isEqualTo(200);
        JsonNode body = JSON.readTree(streamed.getContent());
        assertThat(body.has("message")).isTrue();
        documents.answerInstead(_ -> Optional.empty());
        assertThat(
                        everything(
                                ROOT
                                        + "&stream=true&continuation="
                                        + body.get("continuation").asString()))
                .hasSize(all.size());
    }

    @Test
    void reportsFailuresByStatusOrElseByMessage() throws Exception {
        var failed = new PageReply.Answered(new VisitReply.Failed("disk is gone"));
        documents.answerInstead(_ -> Optional.of(failed));
        HttpTester.Response atOnce = get(ROOT);
        int before = documents.pages();
        documents.answerInstead(
                page -> page == before + 4 ? Optional.of(failed) : Optional.empty());

        HttpTester.Response later = get(ROOT + "&stream=true", "Accept: application/jsonl");

        assertThat(atOnce.getStatus()).isEqualTo(500);
        assertThat(atOnce.getContent())
                .isEqualTo(
                        "{\"pathId\":\"/document/v1/\",\"documents\":[],\"documentCount\":0,\"message\":\"disk"
                                + " is gone\"}");
        assertThat(later.getStatus()).isEqualTo(200);
        List<String> lines = later.getContent().lines().toList();
        assertThat(lines.get(lines.size() - 2))
                .isEqualTo("{\"message\":{\"text\":\"disk is gone\",\"severity\":\"error\"}}");
        JsonNode last = JSON.readTree(lines.getLast()).get("continuation");
        long puts = lines.stream().filter(line -> line.startsWith("{\"put\"")).count();
        assertThat(everything(ROOT + "&stream=true&continuation=" + last.get("token").asString()))
                .hasSize(all.size() - (int) puts);
    }

    @Test
    void answers503WithATimeToRetryIfTheNodeIsUnavailable() throws Exception {
        var away = new PageReply.Answered(new VisitReply.Unavailable("node 1 is away"));
        documents.answerInstead(_ -> Optional.of(away));

        HttpTester.Response atOnce = get(ROOT);

        assertThat(atOnce.getStatus()).isEqualTo(503);
        assertThat(atOnce.get("Retry-After")).isEqualTo("1");
        assertThat(atOnce.getContent()).contains("\"message\":\"node 1 is away\"");
    }

    @Test
    void answers500BeforeTheFirstDocumentIsSent() throws Exception {
        var failed = new PageReply.Answered(new VisitReply.Failed("disk is gone"));
        documents.answerInstead(page -> page == 4 ? Optional.of(failed) : Optional.empty());
        HttpTester.Response plain = get(ROOT + "&wantedDocumentCount=1000");

        JsonNode body = JSON.readTree(plain.getContent());

        assertThat(plain.getStatus()).isEqualTo(500);
        assertThat(ids(body)).isNotEmpty().hasSize(body.get("documentCount").asInt());
        assertThat(body.get("message").asString()).isEqualTo("disk is gone");
        assertThat(body.has("continuation")).isFalse();
    }

    @Test
    void turnsAwayVisitsBeyondTheBound() throws Exception {
        VisitAdmission.Share other = admission.admit("other", 3);

        HttpTester.Response refused = get(ROOT + "&concurrency=2");
        HttpTester.Response taken = get(ROOT);

        assertThat(refused.getStatus()).isEqualTo(429);
        assertThat(refused.get("Retry-After")).isEqualTo("1");
        assertThat(refused.getContent()).contains("at most 4");
        assertThat(taken.getStatus()).isEqualTo(200);
        other.close();
    }

    @Test
    void passesOnThatANodeIsOverloaded() throws Exception {
        documents.answerInstead(_ ->
                Optional.of(new PageReply.Answered(new VisitReply.Overloaded("too many pages"))));

        HttpTester.Response response = get(ROOT + "&stream=true");

        assertThat(response.getStatus()).isEqualTo(429);
        assertThat(response.get("Retry-After")).isEqualTo("1");
        assertThat(response.getContent()).contains("too many pages");
    }

    @Test
    void answersForbidden() throws Exception {
        documents.answerInstead(_ -> Optional.of(new PageReply.Forbidden("not yours")));

        HttpTester.Response response = get(ROOT);

        assertThat(response.getStatus()).isEqualTo(403);
        assertThat(response.getContent())
                .isEqualTo("{\"pathId\":\"/document/v1/\",\"message\":\"not yours\"}");
    }
}
