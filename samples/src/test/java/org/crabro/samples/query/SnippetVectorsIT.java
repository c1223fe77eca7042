package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What the specification says that is marked in texts, with settings of snippets, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SnippetVectorsIT {
    private static final String SCHEMA =
            """
            schema s {
              document s {
                field f1 type string {
                  indexing: index | summary
                  summary: dynamic
                }
                field f2 type string {
                  indexing: index | summary
                  bolding: on
                }
                field words type array<string> {
                  indexing: index | summary
                  bolding: on
                }
                field parts type array<string> {
                  indexing: index | summary
                  summary: dynamic
                }
                field plain type string { indexing: index | summary }
              }
            }
            """;

    private static final String SETTINGS =
            """
            <config name="vespa.config.search.summary.juniperrc">
              <stem_min_length>1</stem_min_length>
              <stem_max_extend>8</stem_max_extend>
            </config>\
            """;

    @TempDir static Path data;

    @AutoClose private StreamingServer server;

    @BeforeAll
    void fill() throws Exception {
        server = new StreamingServer(data, Map.of("s", SCHEMA), SETTINGS);
        server.put(
                "n/s/group/g/d1",
                """
                {"f1":"the deepest stop","f2":"announcements of durability",
                 "words":["red fox","a fox, a fox","hen"],"parts":["one two","two","three"],
                 "plain":"deepest"}\
                """);
    }

    /** The field, what is looked for in it, and how it is shown. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    f1    | "stop"                               | "the deepest <hi>stop</hi>"
                    f1    | "st"                                 | "the deepest <hi>stop</hi>"
                    f1    | "s"                                  | "the deepest stop"
                    f2    | "annou"                              | "<hi>announcements</hi> of durability"
                    f2    | "anno"                               | "announcements of durability"
                    f1    | ({substring: true}"eep")             | "the d<hi>eep</hi>est stop"
                    f2    | ({substring: true}"bil")             | "announcements of dura<hi>bil</hi>ity"
                    f1    | ({prefix: true}"deep")               | "the <hi>deepest</hi> stop"
                    f1    | ({suffix: true}"est")                | "the deepest stop"
                    f2    | ({filter: true}"of")                 | "announcements of durability"
                    f2    | phrase("of", "durability")           | "announcements <hi>of</hi> <hi>durability</hi>"
                    f2    | phrase("durability", "of")           | "announcements of durability"
                    words | "fox"                                | ["red <hi>fox</hi>","a <hi>fox</hi>, a <hi>fox</hi>","hen"]
                    parts | "two"                                | ["one <hi>two</hi>","<hi>two</hi>","three"]
                    plain | "deepest"                            | "deepest"
                    """)
    void marks(String field, String words, String shown) throws Exception {
        JsonNode root =
                server.root(
                        "streaming.groupname",
                        "g",
                        "yql",
                        "select %s from s where rank(true, %s contains %s)"
                                .formatted(field, field, words));

        JsonNode fields = root.path("children").path(0).path("fields");
        assertThat(fields.path(field).toString()).isEqualTo(shown);
    }
}
