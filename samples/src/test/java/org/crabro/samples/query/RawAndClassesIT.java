package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Fields of bytes in orders and summaries, and summary classes of some schemas, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RawAndClassesIT {
    private static final String SCHEMA =
            """
            schema s {
              document s {
                struct part { field data type raw {} field size type int {} }
                field data type raw { indexing: attribute | summary }
                field parts type array<raw> { indexing: summary | index }
                field box type part { indexing: summary | index }
                field boxes type array<part> { indexing: summary | index }
                field named type map<string, part> { indexing: summary }
                field falling type int {
                  indexing: attribute | summary
                  sorting: descending
                }
                field rising type int {
                  indexing: attribute | summary
                  sorting: ascending
                }
              }
              document-summary own { summary falling {} }
            }
            """;

    private static final String TEXTS =
            """
            schema t {
              raw-as-base64-in-summary: false
              document t {
                struct part { field data type raw {} field size type int {} }
                field data type raw { indexing: attribute | summary }
                field parts type array<raw> { indexing: summary | index }
                field box type part { indexing: summary | index }
                field boxes type array<part> { indexing: summary | index }
                field named type map<string, part> { indexing: summary }
              }
              document-summary other { summary data {} }
            }
            """;

    @TempDir static Path data;

    @AutoClose private StreamingServer server;

    @BeforeAll
    void fill() throws Exception {
        server =
                new StreamingServer(
                        data,
                        Map.of(
                                "s",
                                SCHEMA,
                                "t",
                                TEXTS,
                                "heir",
                                "schema heir inherits t { document heir inherits t { } }"));
        // Neither the order of the base64 texts, nor that of signed bytes.
        put("a", new byte[] {0}, 1);
        put("b", new byte[] {0, 1}, 2);
        put("c", new byte[] {105}, 3);
        put("d", new byte[] {127, -1}, 4);
        put("e", new byte[] {(byte) 128}, 5);
        put("f", new byte[] {-1, 0, 0}, 6);
        server.put("n/s/group/g/none", "{}");
        String text = Base64.getEncoder().encodeToString("häh".getBytes(StandardCharsets.UTF_8));
        for (String type : List.of("t", "heir")) {
            server.put(
                    "n/%s/group/g/1".formatted(type),
                    """
                    {"data":"%1$s","parts":["%1$s"],"box":{"data":"%1$s","size":1},
                     "boxes":[{"data":"%1$s"}],"named":{"k":{"data":"%1$s"}}}\
                    """
                            .formatted(text));
        }
    }

    private void put(String id, byte[] bytes, int number) throws Exception {
        String text = Base64.getEncoder().encodeToString(bytes);
        server.put(
                "n/s/group/g/" + id,
                """
                {"data":"%1$s","parts":["%1$s"],"box":{"data":"%1$s"},"boxes":[{"data":"%1$s"}],
                 "falling":%2$d,"rising":%2$d}\
                """
                        .formatted(text, number));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    +data           | none a b c d e f
                    -data           | f e d c b a none
                    +raw(data)      | none a b c d e f
                    +lowercase(data) | none a b c d e f
                    +uca(data,sv)   | none a b c d e f
                    +parts          | a b c d e f none
                    +box.data       | none a b c d e f
                    +boxes.data     | a b c d e f none
                    -boxes.data     | f e d c b a none
                    """)
    void rawSortsByUnsignedBytes(String sorting, String expected) throws Exception {
        JsonNode root =
                server.root(
                        "streaming.groupname",
                        "g",
                        "yql",
                        "select * from s where true",
                        "sorting",
                        sorting);

        assertThat(String.join(" ", StreamingServer.ids(root))).isEqualTo(expected);
    }

    @Test
    void rawSortsByUnsignedBytesInYqlAndOverPages() throws Exception {
        assertThat(StreamingServer.ids(yql("select * from s where true order by data")))
                .containsExactly("none", "a", "b", "c", "d", "e", "f");
        assertThat(
                        StreamingServer.ids(
                                yql(
                                        "select * from s where true order by data desc limit 4 offset 2")))
                .containsExactly("d", "c");
        JsonNode first =
                server.root(
                        "streaming.groupname",
                        "g",
                        "yql",
                        "select * from s where true order by data limit 4",
                        "after",
                        "");
        JsonNode second =
                server.root(
                        "streaming.groupname",
                        "g",
                        "yql",
                        "select * from s where true order by data limit 4",
                        "after",
                        first.path("fields").path("after").asString());

        assertThat(StreamingServer.ids(first)).containsExactly("none", "a", "b", "c");
        assertThat(StreamingServer.ids(second)).containsExactly("d", "e", "f");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    all(group(data) order(max(data)) each(output(count())))
                    all(group(data) order(-min(data)) each(output(count())))
                    """)
    void rawGroupsInTheOrderOfUnsignedBytes(String grouping) throws Exception {
        JsonNode root = yql("select * from s where rising > 0 limit 0 | " + grouping);
        var values = new ArrayList<String>();
        root.findPath("children")
                .findPath("children")
                .findPath("children")
                .forEach(group -> values.add(group.path("value").asString()));

        List<String> expected = List.of("AA==", "AAE=", "aQ==", "f/8=", "gA==", "/wAA");
        assertThat(values).isEqualTo(grouping.contains("-") ? expected.reversed() : expected);
    }

    @ParameterizedTest
    @CsvSource({"t, default", "heir, default", "t, other", "heir, other"})
    void rawIsTextWithoutBase64InASchemaAndItsHeirs(String type, String summary) throws Exception {
        JsonNode fields =
                server.root(
                                "streaming.groupname",
                                "g",
                                "yql",
                                "select * from %s where true".formatted(type),
                                "summary",
                                summary)
                        .path("children")
                        .path(0)
                        .path("fields");

        assertThat(fields.path("data").asString()).isEqualTo("häh");
        if (summary.equals("default")) {
            assertThat(fields.path("parts").toString()).isEqualTo("[\"häh\"]");
            assertThat(fields.path("box").toString()).isEqualTo("{\"data\":\"häh\",\"size\":1}");
            assertThat(fields.path("boxes").toString()).isEqualTo("[{\"data\":\"häh\"}]");
            assertThat(fields.path("named").toString()).isEqualTo("{\"k\":{\"data\":\"häh\"}}");
        }
    }

    @Test
    void errorsSayWhichSchemasLackASummaryClass() throws Exception {
        for (String query :
                List.of("select * from sources * where true", "select * from s, t where true")) {
            JsonNode root = server.root("streaming.groupname", "g", "summary", "own", "yql", query);

            assertThat(root.path("errors").toString())
                    .contains("Schema 't' has no document summary 'own'");
        }
        assertThat(
                        server.search(
                                        "streaming.groupname",
                                        "g",
                                        "summary",
                                        "own",
                                        "yql",
                                        "select * from t where true")
                                .status())
                .isEqualTo(400);
        assertThat(
                        server.root(
                                        "streaming.groupname",
                                        "g",
                                        "summary",
                                        "own",
                                        "yql",
                                        "select * from s where true")
                                .has("errors"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "falling, f e d c b a none",
        "+falling, none a b c d e f",
        "-falling, f e d c b a none",
        "rising, none a b c d e f",
        "-rising, f e d c b a none",
        "'missing(falling,first)', none f e d c b a"
    })
    void theFieldDecidesTheDirectionOfAKeyWithoutSign(String sorting, String expected)
            throws Exception {
        JsonNode root =
                server.root(
                        "streaming.groupname",
                        "g",
                        "yql",
                        "select * from s where true",
                        "sorting",
                        sorting);

        assertThat(String.join(" ", StreamingServer.ids(root))).isEqualTo(expected);
    }

    private JsonNode yql(String yql) throws Exception {
        return server.root("streaming.groupname", "g", "yql", yql);
    }
}
