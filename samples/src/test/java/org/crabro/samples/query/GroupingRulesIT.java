package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Rules about groupings, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GroupingRulesIT {
    private static final String SCHEMA =
            """
            schema s {
              document s {
                field word type string { indexing: attribute | summary }
                field other type string { indexing: attribute | summary }
                field data type raw { indexing: attribute | summary }
                field text type string { indexing: attribute | summary }
                field n type int { indexing: attribute | summary }
                field title type string { indexing: index | summary }
              }
            }
            """;

    private static final String FEW =
            """
            schema t {
              document t {
                field title type string { indexing: index | summary }
              }
            }
            """;

    @TempDir static Path data;

    @AutoClose private StreamingServer server;

    @BeforeAll
    void fill() throws Exception {
        server = new StreamingServer(data, Map.of("s", SCHEMA, "t", FEW));
        put("d1", "apple", new byte[] {0, 0, 0, 0, 0, 0, 0, 5, 9}, "12", 1, "red");
        put("d2", "berry", new byte[] {1, 2}, "7x", 2, "red");
        put("d3", "cherry", new byte[] {(byte) 0x80}, "no", 3, "blue");
        put("d4", "apple", new byte[] {0, 0, 0, 0, 0, 0, 0, 5}, "-3", 4, "blue");
    }

    private void put(String id, String word, byte[] bytes, String text, int n, String title)
            throws Exception {
        server.put(
                "n/s/group/g/" + id,
                "{\"word\":\"%1$s\",\"other\":\"%1$s\",\"data\":\"%2$s\",\"text\":\"%3$s\",\"n\":%4$d,\"title\":\"%5$s\"}"
                        .formatted(
                                word, Base64.getEncoder().encodeToString(bytes), text, n, title));
    }

    /** The first eight bytes of raw fields, most significant first; missing bytes are zeros. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    n = 1 | xor(data) | 5
                    n = 4 | xor(data) | 5
                    n = 2 | xor(data) | 72620543991349248
                    n = 3 | xor(data) | -9223372036854775808
                    n < 3 | xor(data) | 72620543991349253
                    true  | max(add(data, 1)) | 72620543991349249
                    true  | max(mul(data, 2)) | 145241087982698496
                    n = 2 | max(xor(data, 3)) | 72620543991349251
                    n = 3 | max(data - 1) | 9223372036854775807
                    n = 1 | sum(add(text, 0)) | 12
                    n = 2 | xor(text) | 7
                    n = 2 | max(text * 2) | 14
                    n = 3 | max(add(text, 1)) | 1
                    n = 4 | max(neg(text)) | 3
                    n = 4 | max(or(text, 0)) | -3
                    true  | max(tolong(text)) | 12
                    """)
    void numericFunctionsTakeRawAndTexts(String condition, String aggregate, String expected)
            throws Exception {
        JsonNode root = grouped(condition, "all(output(" + aggregate + "))");

        assertThat(root.findPath(aggregateName(root)).asString()).isEqualTo(expected);
    }

    /** Returns the name of the only aggregate that is shown. */
    private static String aggregateName(JsonNode root) {
        for (JsonNode child : root.path("children")) {
            if (child.path("id").asString().startsWith("group:root")) {
                return child.path("fields").propertyNames().iterator().next();
            }
        }
        throw new AssertionError("no group: " + root);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    predefined(word, bucket(a, b), bucket(b, d))             | [ string_bucket:a:b{count():2} string_bucket:b:d{count():2}]
                    predefined(word, bucket("a", "b"), bucket("b", "d"))     | [ string_bucket:a:b{count():2} string_bucket:b:d{count():2}]
                    predefined(word, bucket[a, b>, bucket[b, d])             | [ string_bucket:a:b{count():2} string_bucket:b:d {count():2}]
                    predefined(word, bucket(-inf, b), bucket(b, inf))        | [ string_bucket::b{count():2} string_bucket:b:{count():2}]
                    predefined(data, bucket({0}, {1}), bucket({1}, {255}))   | [ raw_bucket:AA==:AQ=={count():2} raw_bucket:AQ==:/w=={count():2}]
                    predefined(data, bucket({0, 0}, {2}), bucket({127}, {129})) | [ raw_bucket:AAA=:Ag=={count():3} raw_bucket:fw==:gQ=={count():1}]
                    """)
    void bucketBoundsAreWordsAndBytes(String expression, String expected) throws Exception {
        JsonNode root =
                grouped("true", "all(group(%s) each(output(count())))".formatted(expression));

        assertThat(StreamingServer.groups(root)).isEqualTo(expected);
    }

    @Test
    void whereTakesTrueAndQueryAtTheRoot() throws Exception {
        assertThat(StreamingServer.groups(grouped("n = 1", "all(where(true) output(count()))")))
                .isEqualTo("{count():4}");
        assertThat(StreamingServer.groups(grouped("n = 1", "all(where($query) output(count()))")))
                .isEqualTo("{count():1}");
        assertThat(
                        StreamingServer.groups(
                                grouped(
                                        "n = 1",
                                        "all(where(true) all(group(word) each(output(count()))))")))
                .isEqualTo(
                        "[ string:apple{count():2} string:berry{count():1} string:cherry{count():1}]");
        for (String wrong :
                List.of(
                        "all(where(false) output(count()))",
                        "all(where(n) output(count()))",
                        "all(where(n = 1) output(count()))",
                        "all(where($other) output(count()))",
                        "all(group(word) each(where(true) output(count())))",
                        "all(all(where(true) group(word) each(output(count()))))")) {
            assertRefused(wrong);
        }
    }

    @Test
    void listsWithoutLabelsAreShownUnderTheirTexts() throws Exception {
        JsonNode root =
                grouped(
                        "true",
                        "all(all(group(word) each(output(count()))) all(group(n % 2) each(output(count()))) all(group(title) each(output(count())) as(named)))");
        var labels = new ArrayList<String>();
        root.path("children")
                .path(0)
                .path("children")
                .forEach(list -> labels.add(list.path("label").asString()));

        assertThat(labels).containsExactly("word", "mod(n, 2)", "named");
        for (String wrong :
                List.of(
                        "all(all(group(word) each(output(count()))) all(group(word) each(output(max(n)))))",
                        "all(all(group(n+1) each(output(count()))) all(group(n + 1) each(output(max(n)))))",
                        "all(group(word) each(output(count())) each(output(max(n))))",
                        "all(all(group(word) each(output(count())) as(x)) all(group(n) each(output(count())) as(x)))",
                        "all(all(group(word) each(output(count()))) all(group(n) each(output(count())) as(word)))",
                        "all(group(title) each(all(group(word) each(output(count()))) all(group(word) each(output(max(n))))))")) {
            assertRefused(wrong);
        }
        assertThat(
                        StreamingServer.groups(
                                grouped(
                                        "n = 1",
                                        "all(all(group(word) each(output(count()))) all(group(word) each(output(max(n))) as(again)))")))
                .isEqualTo("[ string:apple{count():1}] [ string:apple{max(n):1}]");
    }

    @Test
    void aSingleGroupHasNoOrderAndMaxLimitsItsHits() throws Exception {
        for (String wrong :
                List.of(
                        "all(order(n) each(output(summary())))",
                        "all(order(count()) output(count()))",
                        "all(group(word) each(order(n) each(output(summary()))))",
                        "all(group(word) each(order(-count()) output(count())))")) {
            assertRefused(wrong);
        }
        assertThat(hits("all(group(word) max(1) each(max(1) each(output(summary()))))"))
                .isEqualTo(1);
        assertThat(
                        hits(
                                "all(group(word) max(1) order(-count()) each(max(5) each(output(summary()))))"))
                .isEqualTo(2);
        assertThat(hits("all(group(word) each(max(1) each(output(summary()))))")).isEqualTo(3);
        assertThat(hits("all(each(output(summary())))")).isEqualTo(4);
        assertThat(hits("all(max(2) each(output(summary())))")).isEqualTo(2);
    }

    @Test
    void aMessageSaysWhichSchemaLacksAField() throws Exception {
        for (String grouping :
                List.of(
                        "all(group(word) each(output(count())))",
                        "all(group(title) each(output(max(n))))",
                        "all(group(title) order(max(n)) each(output(count())))")) {
            String name = grouping.contains("word") ? "word" : "n";
            Http.Answer answer =
                    server.search(
                            "streaming.groupname",
                            "g",
                            "yql",
                            "select * from t where true limit 0 | " + grouping);

            assertThat(answer.body().toString())
                    .as(grouping)
                    .contains("'" + name + "'")
                    .contains("'t'");
        }
    }

    private int hits(String grouping) throws Exception {
        int count = 0;
        for (String part :
                StreamingServer.groups(grouped("true", grouping)).split("[ \\[\\]]+", -1)) {
            count += part.matches("d[0-9]") ? 1 : 0;
        }
        return count;
    }

    private JsonNode grouped(String condition, String grouping) throws Exception {
        return server.root(
                "streaming.groupname",
                "g",
                "yql",
                "select * from s where %s limit 0 | %s".formatted(condition, grouping));
    }

    private void assertRefused(String grouping) throws Exception {
        Http.Answer answer =
                server.search(
                        "streaming.groupname",
                        "g",
                        "yql",
                        "select * from s where true limit 0 | " + grouping);
        assertThat(answer.status()).as("%s: %s", grouping, answer).isEqualTo(400);
    }
}
