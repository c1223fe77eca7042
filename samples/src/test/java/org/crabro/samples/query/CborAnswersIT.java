package org.crabro.samples.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.dataformat.cbor.CBORFactory;
import tools.jackson.dataformat.cbor.CBORMapper;

/** Answers in CBOR, read by a reader of others, say what they say in JSON. */
class CborAnswersIT {
    private static final String CBOR = "application/cbor";
    private static final String SEQUENCE = "application/cbor-seq";
    private static final CBORMapper MAPPER =
            new CBORMapper(
                    CBORFactory.builder()
                            .streamReadConstraints(
                                    StreamReadConstraints.builder()
                                            .maxStringLength(Integer.MAX_VALUE)
                                            .maxNameLength(Integer.MAX_VALUE)
                                            .build())
                            .build());
    private static final int NOTES = 300;

    @TempDir static Path directory;

    private static ServedPackage served;
    private static HttpClient client;

    @BeforeAll
    static void start() throws Exception {
        served = new ServedPackage(directory).deployed();
        client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        served.feed(
                IntStream.range(0, NOTES)
                        .mapToObj(i ->
                                """
                                {"put":"id:ns:note:g=anna:%d","fields":{"text":"Nöte \\"%d\\" \uD83D\uDC1D",\
                                "year":%d,"done":%b,"tags":["a","b%d"],"votes":{"x":%d},\
                                "prices":{"milk":%d},"place":[%d,0.1]}}\
                                """
                                        .formatted(i, i, -i * 70_000, i % 2 == 0, i, i, -i, i))
                        .toList());
        served.note("number/7/1", "\"year\":-2147483648");
        served.note("docid/empty", "");
        served.note("docid/removed", "");
        served.delete("/document/v1/ns/note/docid/removed");
    }

    @AfterAll
    static void stop() {
        served.close();
        client.close();
    }

    private static HttpResponse<byte[]> send(
            String method, String target, String accept, String contentType, byte[] body)
            throws Exception {
        return client.send(
                HttpRequest.newBuilder(served.container(target))
                        .header("Accept", accept)
                        .header("Content-Type", contentType)
                        .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private static HttpResponse<byte[]> send(String method, String target, String accept)
            throws Exception {
        return send(method, target, accept, "application/json", new byte[0]);
    }

    private static void hasType(String type, HttpResponse<byte[]> response) {
        assertThat(response.headers().firstValue("Content-Type")).contains(type);
    }

    private static List<JsonNode> items(HttpResponse<byte[]> response) {
        hasType(SEQUENCE, response);
        var items = new ArrayList<JsonNode>();
        try (MappingIterator<JsonNode> values =
                MAPPER.readerFor(JsonNode.class).readValues(response.body())) {
            values.forEachRemaining(items::add);
        }
        return items;
    }

    private static List<JsonNode> lines(HttpResponse<byte[]> response) {
        hasType("application/jsonl; charset=UTF-8", response);
        return new String(response.body(), UTF_8).lines().map(Http.JSON::readTree).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    GET    | 200 | /document/v1/ns/note/group/anna/7
                    GET    | 200 | /document/v1/ns/note/docid/empty?empties=true
                    GET    | 404 | /document/v1/ns/note/docid/none
                    GET    | 400 | /document/v1/ns/note/docid/none?fieldSet=none
                    DELETE | 200 | /document/v1/ns/note/docid/none
                    GET    | 200 | /document/v1/?cluster=notes&stream=true
                    GET    | 200 | /document/v1/?cluster=notes&stream=true&timestamps=true&includeRemoves=true
                    GET    | 200 | /document/v1/?cluster=notes&wantedDocumentCount=50
                    GET    | 200 | /document/v1/?cluster=notes&stream=true&fieldSet=[id]
                    GET    | 200 | /document/v1/ns/note/group/anna?stream=true&format.tensors=hex
                    GET    | 200 | /document/v1/ns/note/group/anna?stream=true&format.tensors=long
                    GET    | 200 | /document/v1/ns/note/group/anna?stream=true&slices=3&sliceId=1&empties=true
                    GET    | 200 | /document/v1/ns/note/group/nobody
                    GET    | 400 | /document/v1/ns/note/group/anna?selection=note.none
                    GET    | 200 | /document/v1/ns/note/group
                    GET    | 200 | /document/v1/ns/note/number
                    PUT    | 400 | /document/v1/ns/note/docid?cluster=notes
                    DELETE | 200 | /document/v1/ns/note/docid?cluster=notes&selection=false
                    DELETE | 200 | /document/v1/ns/note/group/nobody?wholeGroup=true
                    DELETE | 400 | /document/v1/ns/note/docid?wholeGroup=true
                    POST   | 400 | /document/v1/?cluster=notes&selection=true
                    PATCH  | 405 | /document/v1/
                    GET    | 404 | /document/v1/none
                    """)
    void saysTheSame(String method, int status, String target) throws Exception {
        String address = target.replace("[", "%5B").replace("]", "%5D");
        HttpResponse<byte[]> cbor = send(method, address, CBOR);
        HttpResponse<byte[]> json = send(method, address, "application/json");

        assertThat(cbor.statusCode()).isEqualTo(status).isEqualTo(json.statusCode());
        hasType(CBOR, cbor);
        hasType("application/json; charset=UTF-8", json);
        assertThat(MAPPER.readTree(cbor.body())).isEqualTo(Http.JSON.readTree(json.body()));
    }

    /** From token to token, to the end. */
    @Test
    void goesOnLikeJson() throws Exception {
        String target = "/document/v1/?cluster=notes&wantedDocumentCount=70";
        var documents = new ArrayList<JsonNode>();
        String next = target;
        while (!next.isEmpty()) {
            JsonNode page = MAPPER.readTree(send("GET", next, CBOR).body());
            page.get("documents").forEach(documents::add);
            next =
                    page.has("continuation")
                            ? target + "&continuation=" + page.get("continuation").asString()
                            : "";
        }
        var expected = new ArrayList<JsonNode>();
        served.get("/document/v1/?cluster=notes&stream=true")
                .json()
                .get("documents")
                .forEach(expected::add);

        assertThat(documents).hasSize(NOTES + 2).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/document/v1/?cluster=notes&stream=true&includeRemoves=true",
                "/document/v1/ns/note/group/anna?wantedDocumentCount=20&fieldSet=note:year",
                "/document/v1/ns/note/group/nobody?stream=true"
            })
    void hasTheObjectsOfLinesOneBehindTheOther(String target) throws Exception {
        assertThat(items(send("GET", target, SEQUENCE)))
                .isEqualTo(lines(send("GET", target, "application/jsonl")));
    }

    @ParameterizedTest
    @ValueSource(strings = {CBOR, SEQUENCE})
    void readsManyDocumentsOfOneRequest(String accept) throws Exception {
        byte[] asked =
                """
                {"get":"id:ns:note:g=anna:1"}
                {"get":"id:ns:note::empty"}
                {"get":"id:ns:note::none"}
                {"get":"id:ns:none::1"}
                no line
                """
                        .getBytes(UTF_8);
        HttpResponse<byte[]> cbor =
                send("POST", "/document/v1/", accept, "application/jsonl", asked);
        HttpResponse<byte[]> lines =
                send("POST", "/document/v1/", "*/*", "application/jsonl", asked);

        assertThat(items(cbor)).hasSize(6).isEqualTo(lines(lines));
        assertThat(items(cbor).getFirst().get("fields").get("year").asInt()).isEqualTo(-70_000);
    }

    @Test
    void updatesWhatIsSelectedByABodyInCbor() throws Exception {
        String target = "/document/v1/ns/note/group/bert?cluster=notes&selection=note.year%3E1";
        for (int i = 0; i < 3; i++) {
            served.note("group/bert/" + i, "\"year\":" + i);
        }
        byte[] update =
                MAPPER.writeValueAsBytes(
                        Http.JSON.readTree("{\"fields\":{\"year\":{\"increment\":40}}}"));
        HttpResponse<byte[]> updated = send("PUT", target, CBOR, CBOR, update);
        HttpResponse<byte[]> broken =
                send("PUT", target, CBOR, CBOR, "{\"fields\":{}}".getBytes(UTF_8));

        assertThat(MAPPER.readTree(updated.body()).get("documentCount").asInt()).isEqualTo(1);
        assertThat(broken.statusCode()).isEqualTo(400);
        assertThat(MAPPER.readTree(broken.body()).get("message").asString())
                .contains("no well-formed CBOR");
        assertThat(
                        served.get("/document/v1/ns/note/group/bert/2")
                                .json()
                                .get("fields")
                                .get("year")
                                .asInt())
                .isEqualTo(42);
        served.delete("/document/v1/ns/note/group/bert?wholeGroup=true");
    }

    /** Longer than what readers of JSON take of people whom they do not know. */
    @Test
    void answersWithTextsOfAnyLength() throws Exception {
        var body = new ByteArrayOutputStream();
        String text = "t".repeat(30 << 20);
        String key = "k".repeat(100_000);
        body.writeBytes(
                "{\"fields\":{\"text\":\"%s\",\"prices\":[{\"key\":\"%s\",\"value\":1}]}}"
                        .formatted(text, key)
                        .getBytes(UTF_8));
        String target = "/document/v1/ns/note/docid/long";
        HttpResponse<byte[]> put =
                send("POST", target, "*/*", "application/json", body.toByteArray());
        assertThat(put.statusCode()).as(new String(put.body(), UTF_8)).isEqualTo(200);

        byte[] read = send("GET", target, CBOR).body();
        String selected =
                "/document/v1/?cluster=notes&stream=true&selection=id%3D%3D%22id:ns:note::long%22";
        byte[] visit = send("GET", selected, CBOR).body();
        served.delete(target);

        JsonNode got = MAPPER.readTree(read).get("fields");
        JsonNode visited = MAPPER.readTree(visit).get("documents").get(0).get("fields");
        assertThat(got.get("text").asString().length()).isEqualTo(text.length());
        assertThat(got.get("prices").has(key)).isTrue();
        assertThat(visited).isEqualTo(got);
    }
}
