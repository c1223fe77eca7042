package org.crabro.samples.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * The parameter {@code gram.match}, over HTTP. The type {@code streamed} has mode streaming, {@code
 * indexed} has mode index.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GramMatchIT {
    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><search/><document-api/></container>
              <content id="indexes" version="1.0">
                <redundancy>1</redundancy>
                <documents><document type="indexed" mode="index"/></documents>
              </content>
              <content id="streams" version="1.0">
                <redundancy>1</redundancy>
                <documents><document type="streamed" mode="streaming"/></documents>
              </content>
            </services>
            """;

    private static final String SCHEMA =
            """
            schema TYPE {
              document TYPE {
                field text type string {
                  indexing: index | summary
                  match { gram gram-size: 2 }
                  bolding: on
                }
                field texts type array<string> {
                  indexing: index | summary
                  match { gram gram-size: 2 }
                }
                field words type string { indexing: index | summary }
              }
              fieldset default { fields: text }
            }
            """;

    private static final List<String> TEXTS =
            List.of("Elephants", "ep le el", "elks and eels", "el x le x ep", "xylophones");

    @TempDir static Path data;

    @AutoClose private ServedPackage served;

    /** The last two documents are not in a run. */
    @BeforeAll
    void fill() throws Exception {
        served =
                ServedPackage.of(
                        data.resolve("data"),
                        Map.of(
                                "services.xml",
                                SERVICES,
                                "schemas/indexed.sd",
                                SCHEMA.replace("TYPE", "indexed"),
                                "schemas/streamed.sd",
                                SCHEMA.replace("TYPE", "streamed")));
        for (int i = 0; i < TEXTS.size(); i++) {
            if (i == 3) {
                served.backUp(data.resolve("backup"));
            }
            String text = TEXTS.get(i);
            String fields =
                    """
                    "text":"%1$s","texts":["x","%1$s"],"words":"%1$s"\
                    """
                            .formatted(text);
            served.write("/document/v1/n/streamed/group/g/" + (i + 1), fields);
            served.write("/document/v1/n/indexed/docid/" + (i + 1), fields);
        }
    }

    private Answer search(String type, String... parameters) throws Exception {
        var target = new StringBuilder("/search/?timeout=60s&hits=20&restrict=" + type);
        if (type.equals("streamed")) {
            target.append("&streaming.groupname=g");
        }
        for (String parameter : parameters) {
            String[] parts = parameter.split("=", 2);
            target.append('&')
                    .append(URLEncoder.encode(parts[0], UTF_8))
                    .append('=')
                    .append(URLEncoder.encode(parts[1], UTF_8));
        }
        return served.get(target.toString());
    }

    private String ids(String type, String... parameters) throws Exception {
        Answer answer = search(type, parameters);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        var ids = new ArrayList<String>();
        for (JsonNode hit : answer.json().path("root").path("children")) {
            String id = hit.path("id").asString();
            ids.add(id.substring(id.lastIndexOf(':') + 1));
        }
        Collections.sort(ids);
        return String.join(" ", ids);
    }

    /** The grams of {@code elep} are el, le and ep. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    gram.match=all     | 1 2 4
                    gram.match=any     | 1 2 3 4
                    gram.match=weakAnd | 1 2 3 4
                    gram.match=phrase  | 1
                    gram.match=near    | 1 2
                    gram.match=onear   | 1
                    gram.match=OnEar   | 1
                    gram.match=        | 1 2 4
                    other=phrase       | 1 2 4
                    """)
    void theGramsOfAWordMatchByTheParameter(String match, String ids) throws Exception {
        for (String type : List.of("streamed", "indexed")) {
            for (String[] query :
                    List.of(
                            new String[] {"yql=select * from sources * where text contains 'elep'"},
                            new String[] {
                                "yql=select * from sources * where texts contains 'elep'"
                            },
                            new String[] {
                                "yql=select * from sources * where userInput(@user)", "user=elep"
                            },
                            new String[] {
                                "yql=select * from sources * where"
                                        + " {defaultIndex: 'texts'}userInput(@user)",
                                "user=Elep"
                            },
                            new String[] {"query=elep"},
                            new String[] {"query=text:elep"},
                            new String[] {"query=elep", "type=all"},
                            new String[] {"select.where={\"contains\":[\"text\",\"elep\"]}"})) {
                var parameters = new ArrayList<>(List.of(query));
                parameters.add(match);

                assertThat(ids(type, parameters.toArray(String[]::new)))
                        .as("%s %s", type, parameters)
                        .isEqualTo(ids);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    any    | text contains 'xyz'                         | 5
                    any    | text contains 'elks' and text contains 'an' | 1 3
                    any    | true and !(text contains 'elep')            | 5
                    any    | text contains phrase('el', 'le')            | 1
                    all    | text contains phrase('el', 'le')            | 1
                    any    | text contains phrase('elks', 'and')         | 3
                    any    | text contains equiv('lopz', 'kse')          | 3 5
                    any    | words contains 'elep'                       | ''
                    any    | words contains 'elephants'                  | 1
                    phrase | text contains 'lks a'                       | ''
                    phrase | text contains 'ks and'                      | 3
                    phrase | text contains 'n'                           | ''
                    near   | text contains 'eleph'                       | ''
                    """)
    void otherConditionsKeepTheirMeaning(String match, String where, String ids) throws Exception {
        for (String type : List.of("streamed", "indexed")) {
            String yql = "yql=select * from sources * where " + where;

            assertThat(ids(type, yql, "gram.match=" + match)).as(type).isEqualTo(ids);
        }
    }

    @Test
    void hitsShowTheGramsThatMatch() throws Exception {
        for (String type : List.of("streamed", "indexed")) {
            assertThat(search(type, "query=elks", "gram.match=any").body())
                    .as(type)
                    .contains("<hi>El</hi>ephants", "<hi>elks</hi> and e<hi>el</hi>");
            assertThat(search(type, "query=elep", "gram.match=phrase").body())
                    .as(type)
                    .contains("<hi>Elep</hi>hants");
        }
    }

    @Test
    void anUnknownMatchIsRejected() throws Exception {
        for (String type : List.of("streamed", "indexed")) {
            Answer answer = search(type, "query=elep", "gram.match=some");

            assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
            assertThat(answer.body())
                    .contains("expected all, any, phrase, weakAnd, near or onear but found 'some'");
        }
    }
}
