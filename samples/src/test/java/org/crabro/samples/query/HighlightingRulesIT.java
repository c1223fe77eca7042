package org.crabro.samples.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What a term of each kind marks in bolded fields and in snippets, in both modes, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HighlightingRulesIT {
    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><search/><document-api/></container>
              <content id="streamed" version="1.0">
                <redundancy>1</redundancy>
                <documents><document type="s" mode="streaming"/></documents>%s
              </content>
              <content id="indexed" version="1.0">
                <redundancy>1</redundancy>
                <documents><document type="i" mode="index"/></documents>%s
              </content>
            </services>
            """;

    private static final String SCHEMA =
            """
            schema TYPE {
              stemming: none
              document TYPE {
                struct person { field name type string {} }
                field bold type string {
                  indexing: index | summary
                  bolding: on
                }
                field snip type string {
                  indexing: index | summary
                  summary: dynamic
                }
                field bolds type array<string> {
                  indexing: index | summary
                  bolding: on
                }
                field snips type array<string> {
                  indexing: index | summary
                  summary: dynamic
                }
                field begun type string {
                  indexing: index | summary
                  match: prefix
                  bolding: on
                }
                field whole type string {
                  indexing: attribute | summary
                  bolding: on
                }
                field people type array<person> {
                  indexing: summary
                  struct-field name { indexing: index }
                }
                EXTRA
              }
              fieldset all { fields: bold, snip }
              document-summary parts { summary names { source: people.name  bolding: on } }
            }
            """;

    private static final String PART_FIELD =
            """
            field inside type string {
              indexing: index | summary
              match: substring
              bolding: on
            }
            """;

    private static final String TEXT = "the deepest durability stop";
    private static final String LONG =
            "lorem ipsum ".repeat(60) + "needle " + "lorem ipsum ".repeat(60);

    @TempDir static Path data;

    @AutoClose private ServedPackage server;

    @BeforeAll
    void fill() throws Exception {
        String streamed = SCHEMA.replace("TYPE", "s").replace("EXTRA", PART_FIELD);
        server =
                ServedPackage.of(
                        data,
                        Map.of(
                                "services.xml",
                                SERVICES.formatted("", ""),
                                "schemas/s.sd",
                                streamed,
                                "schemas/i.sd",
                                SCHEMA.replace("TYPE", "i").replace("EXTRA", "")));
        String fields =
                """
                "bold":"%1$s","snip":"%1$s","bolds":["%1$s","no"],"snips":["%1$s","no"],
                "begun":"%1$s","whole":"deepest","people":[{"name":"deepest"},{"name":"stop"}]\
                """
                        .formatted(TEXT);
        server.write("/document/v1/n/s/group/g/1", fields + ",\"inside\":\"%s\"".formatted(TEXT));
        server.write("/document/v1/n/i/docid/1", fields);
    }

    /** The term, the words that it marks in mode streaming, and in mode index. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # a plain term: an equal word, or one that is longer by up to three characters
                    contains "deepest"                           | the <hi>deepest</hi> durability stop          | the <hi>deepest</hi> durability stop
                    contains "durabil"                           | the deepest <hi>durability</hi> stop          | the deepest <hi>durability</hi> stop
                    contains "durabi"                            | the deepest durability stop                   | the deepest durability stop
                    contains "sto"                               | the deepest durability stop                   | the deepest durability stop
                    contains phrase("the","deepest")             | <hi>the</hi> <hi>deepest</hi> durability stop | <hi>the</hi> <hi>deepest</hi> durability stop
                    contains equiv("deepest","x")                | the <hi>deepest</hi> durability stop          | the <hi>deepest</hi> durability stop
                    contains near("deepest","stop")              | the <hi>deepest</hi> durability <hi>stop</hi> | the <hi>deepest</hi> durability <hi>stop</hi>
                    # a prefix: the whole word
                    contains ({prefix:true}"deep")               | the <hi>deepest</hi> durability stop          | the <hi>deepest</hi> durability stop
                    # a part of a word: the part, but a prefix in mode index
                    contains ({substring:true}"eep")             | the d<hi>eep</hi>est durability stop          | the deepest durability stop
                    contains ({substring:true}"deep")            | the <hi>deep</hi>est durability stop          | the <hi>deepest</hi> durability stop
                    # nothing
                    contains ({suffix:true}"est")                | the deepest durability stop                   | the deepest durability stop
                    matches "deepest"                            | the deepest durability stop                   | the deepest durability stop
                    contains ({token:true}fuzzy("deepesd"))      | the deepest durability stop                   | the deepest durability stop
                    contains ({filter:true}"deepest")            | the deepest durability stop                   | the deepest durability stop
                    in ("deepest")                               | the deepest durability stop                   | the deepest durability stop
                    """)
    void theKindOfATermDecidesWhatItMarks(String term, String streamed, String indexed)
            throws Exception {
        for (String field : new String[] {"bold", "snip"}) {
            assertThat(shown("s", field, field + " " + term)).isEqualTo('"' + streamed + '"');
            assertThat(shown("i", field, field + " " + term)).isEqualTo('"' + indexed + '"');
        }
        for (String field : new String[] {"bolds", "snips"}) {
            assertThat(shown("s", field, field + " " + term))
                    .isEqualTo("[\"" + streamed + "\",\"no\"]");
            assertThat(shown("i", field, field + " " + term))
                    .isEqualTo("[\"" + indexed + "\",\"no\"]");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    wand(bold, {"deepest":1})             | bold  | "the deepest durability stop"
                    weightedSet(bold, {"deepest":1})      | bold  | "the deepest durability stop"
                    bolds contains sameElement("deepest") | bolds | ["the deepest durability stop","no"]
                    snips contains sameElement("deepest") | snips | ["the deepest durability stop","no"]
                    """)
    void operatorsWithSeveralTermsMarkNothing(String condition, String field, String shown)
            throws Exception {
        assertThat(shown("s", field, condition)).isEqualTo(shown);
        assertThat(shown("i", field, condition)).isEqualTo(shown);
    }

    /** The setting of the field finds the document, and the kind of the term marks nothing. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    begun contains "deep"                    | begun  | "the deepest durability stop"
                    begun contains "deepest"                 | begun  | "the <hi>deepest</hi> durability stop"
                    inside contains "eep"                    | inside | "the d<hi>eep</hi>est durability stop"
                    inside contains ({prefix:true}"eep")     | inside | "the d<hi>eep</hi>est durability stop"
                    whole contains "deepest"                 | whole  | "<hi>deepest</hi>"
                    whole contains ({prefix:true}"deep")     | whole  | "<hi>deepest</hi>"
                    whole contains ({substring:true}"eep")   | whole  | "d<hi>eep</hi>est"
                    whole contains ({suffix:true}"est")      | whole  | "deepest"
                    all contains "deepest"                   | bold   | "the <hi>deepest</hi> durability stop"
                    all contains "deepest"                   | snip   | "the <hi>deepest</hi> durability stop"
                    people.name contains "stop"              | names  | "deepest <hi>stop</hi>"
                    people.name contains ({prefix:true}"st") | names  | "deepest <hi>stop</hi>"
                    people.name contains ({suffix:true}"op") | names  | "deepest stop"
                    """)
    void aDocumentCanMatchWithNothingMarked(String condition, String field, String shown)
            throws Exception {
        String summary = field.equals("names") ? "parts" : "default";

        assertThat(hit("s", condition, summary).path(field).toString()).isEqualTo(shown);
    }

    /** The user's words, from all languages of queries. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    query=bold:deepest                            | the <hi>deepest</hi> durability stop
                    query=bold:deep*                              | the <hi>deepest</hi> durability stop
                    query=bold:*eep*                              | the d<hi>eep</hi>est durability stop
                    query=bold:*est                               | the deepest durability stop
                    select.where={"contains":{"children":["bold","deep"],"attributes":{"prefix":true}}} | the <hi>deepest</hi> durability stop
                    """)
    void markInAllQueryLanguages(String query, String shown) throws Exception {
        int equals = query.indexOf('=');
        JsonNode fields =
                fields(
                        "streaming.groupname",
                        "g",
                        "sources",
                        "s",
                        query.substring(0, equals),
                        query.substring(equals + 1));

        assertThat(fields.path("bold").asString()).isEqualTo(shown);
    }

    /** Settings of the snippet config, of all fields and of one field. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    <stem_min_length>1</stem_min_length><stem_max_extend>8</stem_max_extend> | st      | the deepest durability <hi>stop</hi>
                    <stem_min_length>1</stem_min_length><stem_max_extend>8</stem_max_extend> | s       | the deepest durability stop
                    <stem_min_length>1</stem_min_length><stem_max_extend>8</stem_max_extend> | du      | the deepest <hi>durability</hi> stop
                    <stem_min_length>1</stem_min_length><stem_max_extend>7</stem_max_extend> | du      | the deepest durability stop
                    <stem_max_extend>0</stem_max_extend>                                     | deepes  | the deepest durability stop
                    <stem_min_length>6</stem_min_length>                                     | deepes  | the deepest durability stop
                    <stem_min_length>5</stem_min_length>                                     | deepes  | the <hi>deepest</hi> durability stop
                    """)
    void stemSettingsLimitLongerWords(String settings, String word, String shown) throws Exception {
        String config =
                "<config name=\"vespa.config.search.summary.juniperrc\">" + settings + "</config>";
        server.deploy(SERVICES.formatted(config, config));

        for (String type : new String[] {"s", "i"}) {
            for (String field : new String[] {"bold", "snip"}) {
                assertThat(shown(type, field, "%s contains \"%s\"".formatted(field, word)))
                        .isEqualTo('"' + shown + '"');
            }
        }
        server.deploy(SERVICES.formatted("", ""));
    }

    @Test
    void theConfigOfAContainerSetsTheTextsAroundMatchesAndForOmittedParts() throws Exception {
        String config =
                """
                <config name="container.qr-searchers">
                  <tag>
                    <bold><open>&lt;b&gt;</open><close>&lt;/b&gt;</close></bold>
                    <separator>[…]</separator>
                  </tag>
                </config>
                <search/>\
                """;
        server.write("/document/v1/n/i/docid/2", "\"snip\":\"%s\"".formatted(LONG));
        server.deploy(SERVICES.formatted("", "").replace("<search/>", config));

        for (String type : new String[] {"s", "i"}) {
            assertThat(shown(type, "bold", "bold contains \"deepest\""))
                    .isEqualTo("\"the <b>deepest</b> durability stop\"");
        }
        assertThat(hit("i", "snip contains \"needle\"", "default").path("snip").asString())
                .startsWith("[…]")
                .endsWith("[…]")
                .contains("<b>needle</b>")
                .doesNotContain("<hi>", "<sep />");
        assertThat(
                        fields(
                                        "presentation.bolding.tags",
                                        "(,)",
                                        "yql",
                                        "select * from i where bold contains \"deepest\"")
                                .path("bold")
                                .asString())
                .isEqualTo("the (deepest) durability stop");

        server.deploy(SERVICES.formatted("", ""));
        server.delete("/document/v1/n/i/docid/2");
        assertThat(shown("i", "bold", "bold contains \"deepest\""))
                .isEqualTo("\"the <hi>deepest</hi> durability stop\"");
    }

    /** Returns a field of the document, which matches whatever the condition finds. */
    private String shown(String type, String field, String condition) throws Exception {
        return hit(type, "rank(true, " + condition + ")", "default").path(field).toString();
    }

    private JsonNode hit(String type, String condition, String summary) throws Exception {
        var parameters = new ArrayList<String>();
        if (type.equals("s")) {
            parameters.addAll(List.of("streaming.groupname", "g"));
        }
        parameters.addAll(
                List.of(
                        "summary",
                        summary,
                        "yql",
                        "select * from %s where %s".formatted(type, condition)));
        return fields(parameters.toArray(String[]::new));
    }

    /** Returns the fields of the first hit, which must exist. */
    private JsonNode fields(String... parameters) throws Exception {
        var target = new StringBuilder("/search/?timeout=60s");
        for (int i = 0; i < parameters.length; i += 2) {
            target.append('&').append(parameters[i]).append('=');
            target.append(URLEncoder.encode(parameters[i + 1], UTF_8));
        }
        ServedPackage.Answer answer = server.get(target.toString());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode fields = answer.json().path("root").path("children").path(0).path("fields");
        assertThat(fields.isMissingNode()).as(answer.toString()).isFalse();
        return fields;
    }
}
