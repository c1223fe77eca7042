package org.crabro.samples.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Lists, exports, removes and imports the documents of persons. */
class GroupIT {
    private static final String NOTES = "/document/v1/home/note/";

    private static final String NOTE =
            """
            schema note {
              document note {
                struct person { field name type string {} field born type int {} }
                field text type string { indexing: summary | index }
                field count type int { indexing: summary | attribute }
                field total type long { indexing: summary | attribute }
                field level type byte { indexing: summary | attribute }
                field done type bool { indexing: summary | attribute }
                field ratio type double { indexing: summary | attribute }
                field part type float { indexing: summary | attribute }
                field bytes type raw { indexing: summary }
                field home type uri { indexing: summary }
                field place type position { indexing: summary }
                field tags type array<string> { indexing: summary }
                field counts type array<long> { indexing: summary }
                field colors type weightedset<string> { indexing: summary }
                field prices type map<string, int> { indexing: summary }
                field author type person { indexing: summary }
                field readers type map<string, person> { indexing: summary }
                field people type array<person> { indexing: summary }
                field vector type tensor<float>(x[3]) { indexing: summary }
                field small type tensor<int8>(x[4]) { indexing: summary }
                field half type tensor<bfloat16>(x[2]) { indexing: summary }
                field words type tensor<float>(word{}) { indexing: summary }
                field pairs type tensor(a{},b{}) { indexing: summary }
                field chunks type tensor<float>(chunk{},x[2]) { indexing: summary }
              }
              field line type string {
                indexing: input text | lowercase | summary
              }
            }
            """;

    /** Of everything that a document may hold, one. */
    private static final String FIELDS =
            """
            {"text":"Ümläut \\"quoted\\" \\n \\u0009 😀","count":-7,"total":9007199254740993,"level":-128,
             "done":false,"ratio":0.1,"part":0.1,"bytes":"AAEC/w==","home":"https://example.com/a?b=c",
             "place":{"lat":37.401,"lng":-121.996},"tags":["a","","b"],"counts":[1,-2,9223372036854775807],
             "colors":{"red":1,"blue":-3},"prices":{"a.b}":5,"":6},"author":{"name":"Anna","born":1990},
             "readers":{"bert":{"name":"Bert"},"carl":{"born":1}},"people":[{"name":"x"},{"born":2}],
             "vector":[0.1,-0.0,3e38],"small":[1,-1,127,-128],"half":[1.5,-2],
             "words":{"a":0.5,"cells":2},"pairs":[{"address":{"a":"x","b":"y"},"value":1e-300}],
             "chunks":{"1":[1,2],"2":[0.25,4]}}
            """
                    .replace("\n ", "");

    @TempDir Path directory;

    private ServedPackage server;

    @BeforeEach
    void start() throws Exception {
        server = ServedPackage.ofNotes(directory.resolve("data"), NOTE);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String feed(String path, List<String> lines) throws Exception {
        ServedPackage.Answer answer =
                server.post(path, String.join("\n", lines), "Content-Type", "application/jsonl");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body();
    }

    private static List<String> notes(String namespace, String key, int count) {
        return IntStream.range(0, count)
                .mapToObj(i ->
                        "{\"put\":\"id:%s:note:%s:%d\",\"fields\":%s}"
                                .formatted(namespace, key, i, FIELDS.strip()))
                .toList();
    }

    /** Returns the lines of an export that are operations; it has to be whole. */
    private List<String> export(String path) throws Exception {
        ServedPackage.Answer answer = server.get(path, "Accept", "application/jsonl");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        List<String> lines = answer.body().lines().toList();
        assertThat(lines.getLast()).isEqualTo("{\"continuation\":{\"percentFinished\":100.0}}");
        return lines.stream().filter(line -> line.startsWith("{\"put\"")).toList();
    }

    private JsonNode get(String target) throws Exception {
        ServedPackage.Answer answer = server.get(target);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json();
    }

    private long count(String kind, String name) throws Exception {
        for (JsonNode each : get(NOTES + kind + "?wantedGroupCount=10000").get("groups")) {
            if (each.get(kind).asString().equals(name)) {
                return each.get("documentCount").asLong();
            }
        }
        return 0;
    }

    private void flush(String name) throws Exception {
        server.backUp(directory.resolve(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "long", "hex", "short-value", "long-value", "hex-value"})
    void bringsBackWhatItExported(String tensors) throws Exception {
        feed("/document/v1/", notes("home", "g=anna b", 30));
        String anna = NOTES + "group/anna+b";
        String target = anna + "?stream=true&timestamps=true&format.tensors=" + tensors;
        List<String> before = export(target);
        assertThat(before).hasSize(30);
        flush("backup");
        assertThat(export(target)).isEqualTo(before);

        assertThat(server.delete(anna + "?wholeGroup=true").status()).isEqualTo(200);
        assertThat(export(target)).isEmpty();
        assertThat(count("group", "anna b")).isZero();

        String told = feed(anna + "?answers=failed", before);
        assertThat(told).contains("\"ok\":30,\"failed\":0");
        assertThat(export(target).stream().map(GroupIT::withoutTimestamp))
                .isEqualTo(before.stream().map(GroupIT::withoutTimestamp).toList());
        assertThat(count("group", "anna b")).isEqualTo(30);
        JsonNode fields =
                get(anna + "/7?fieldSet=note:%5Ball%5D&format.tensors=short-value").get("fields");
        assertThat(fields.get("line").asString()).startsWith("ümläut");
        JsonNode fed = Http.JSON.readTree(FIELDS);
        for (String name :
                List.of("text", "total", "bytes", "place", "tags", "readers", "people")) {
            assertThat(fields.get(name)).as(name).isEqualTo(fed.get(name));
        }
    }

    private static String withoutTimestamp(String line) {
        return line.replaceFirst(",\"timestamp\":[0-9]+", "");
    }

    @Test
    void listsAndRemovesGroupsAcrossFlushes() throws Exception {
        for (int i = 0; i < 250; i++) {
            feed("/document/v1/", notes("home", "g=user" + i, 1 + i % 3));
        }
        feed("/document/v1/", notes("home", "n=18446744073709551615", 4));
        feed("/document/v1/", notes("other", "g=user7", 2));
        feed("/document/v1/", notes("home", "", 5));
        flush("first");
        feed("/document/v1/", notes("home", "g=user8", 40));
        assertThat(server.delete(NOTES + "group/user9/0").status()).isEqualTo(200);

        long documents = 0;
        long groups = 0;
        String continuation = "";
        do {
            JsonNode page = get(NOTES + "group?wantedGroupCount=17" + continuation);
            groups += page.get("groupCount").asLong();
            for (JsonNode each : page.get("groups")) {
                documents += each.get("documentCount").asLong();
                assertThat(each.get("bytes").asLong()).isPositive();
            }
            continuation =
                    page.has("continuation")
                            ? "&continuation=" + page.get("continuation").asString()
                            : "";
        } while (!continuation.isEmpty());

        // Of 250 groups one had a document alone, which is gone.
        assertThat(groups).isEqualTo(249);
        assertThat(documents).isEqualTo(83 * 6 + 1 - 1 + 37);
        assertThat(count("group", "user8")).isEqualTo(40);
        assertThat(count("number", "18446744073709551615")).isEqualTo(4);

        ServedPackage.Answer refused = server.delete(NOTES + "group/user7?wholeGroup=true");
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.message()).contains("id:other:note:g=user7:");
        ServedPackage.Answer removed =
                server.delete(NOTES + "group/user7?wholeGroup=true&allNamespaces=true");
        assertThat(removed.status()).as(removed.toString()).isEqualTo(200);
        assertThat(count("group", "user7")).isZero();
        assertThat(get("/document/v1/other/note/group").get("groupCount").asInt()).isZero();
        feed("/document/v1/", notes("home", "g=user7", 1));
        assertThat(count("group", "user7")).isEqualTo(1);
    }
}
