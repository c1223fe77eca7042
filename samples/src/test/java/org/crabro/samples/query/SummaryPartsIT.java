package org.crabro.samples.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.crabro.samples.fixture.ServedPackage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Summary fields whose sources are parts of structs, maps and arrays, in both modes, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SummaryPartsIT {
    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><search/><document-api/></container>
              <content id="streamed" version="1.0">
                <redundancy>1</redundancy>
                <documents>
                  <document type="s" mode="streaming"/>
                  <document type="heir" mode="streaming"/>
                </documents>
              </content>
              <content id="indexed" version="1.0">
                <redundancy>1</redundancy>
                <documents><document type="i" mode="index"/></documents>
              </content>
            </services>
            """;

    private static final String SCHEMA =
            """
            schema TYPE {
              document TYPE {
                struct address { field street type string {} field zip type int {} }
                struct person {
                  field name type string {}
                  field age type int {}
                  field photo type raw {}
                  field tags type array<string> {}
                  field home type address {}
                }
                field title type string { indexing: index | summary }
                field people type array<person> {
                  indexing: summary
                  struct-field name { indexing: index }
                  summary in_field { source: people.name  to: parts }
                }
                field hidden type array<person> { indexing: index }
                field boss type person { indexing: summary }
                field links type map<string, string> { indexing: summary }
                field staff type map<string, person> { indexing: summary }
              }
              document-summary parts {
                from-disk
                summary title {}
                summary names { source: people.name }
                summary streets { source: people.home.street }
                summary zips { source: people.home.zip }
                summary tags { source: people.tags }
                summary homes { source: people.home }
                summary names_ages { source: people.name, people.age }
                summary title_names { source: title, people.name }
                summary boss_name { source: boss.name }
                summary boss_street { source: boss.home.street }
                summary link_keys { source: links.key }
                summary link_values { source: links.value }
                summary staff_keys { source: staff.key }
                summary staff_names { source: staff.value.name }
                summary staff_streets { source: staff.value.home.street }
                summary nothing { source: boss.tags }
                summary bold { source: people.name  bolding: on }
                summary snip { source: people.name  dynamic }
                summary matched { source: people.name  matched-elements-only }
                summary few type array<person> { source: people.name, people.home.street }
                summary few_matched type array<person> {
                  source: people.age
                  matched-elements-only
                }
                summary one type person { source: boss.name, boss.home.zip }
                summary some type map<string, person> { source: staff.value.age }
                summary keys type map<string, person> { source: staff.key }
                summary none type person { source: boss.tags }
                summary mixed type array<person> { source: title, people.name }
                summary hidden { source: hidden.name }
              }
              document-summary more inherits parts { summary ages { source: people.age } }
            }
            """;

    private static final String FIELDS =
            """
            "title":"T","boss":{"name":"Bo","home":{"street":"Elm","zip":5}},
            "people":[{"name":"Ann","age":3,"tags":["x","y"],"home":{"street":"Oak","zip":7}},
                      {"age":4,"home":{}},{"name":"Ben Lee","tags":["z"]}],
            "hidden":[{"name":"H","age":1},{"age":2}],
            "links":{"a":"one","b":"two"},
            "staff":{"k":{"name":"Cy","age":9,"home":{"street":"Ash"}},"l":{"name":"Di"}}\
            """;

    @TempDir static Path data;

    @AutoClose private ServedPackage server;

    @BeforeAll
    void fill() throws Exception {
        server =
                ServedPackage.of(
                        data,
                        Map.of(
                                "services.xml",
                                SERVICES,
                                "schemas/s.sd",
                                SCHEMA.replace("TYPE", "s"),
                                "schemas/heir.sd",
                                "schema heir inherits s { document heir inherits s { } }",
                                "schemas/i.sd",
                                SCHEMA.replace("TYPE", "i")));
        server.write("/document/v1/n/s/group/g/1", FIELDS);
        server.write("/document/v1/n/heir/group/g/1", FIELDS);
        server.write("/document/v1/n/i/docid/1", FIELDS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            textBlock =
                    """
                    names         | "Ann Ben Lee"
                    in_field      | "Ann Ben Lee"
                    streets       | "Oak"
                    zips          | "7"
                    tags          | "x y z"
                    homes         | "Oak 7"
                    names_ages    | "Ann Ben Lee 3 4"
                    title_names   | "T Ann Ben Lee"
                    boss_name     | "Bo"
                    boss_street   | "Elm"
                    link_keys     | "a b"
                    link_values   | "one two"
                    staff_keys    | "k l"
                    staff_names   | "Cy Di"
                    staff_streets | "Ash"
                    nothing       | -
                    bold          | "Ann <hi>Ben</hi> Lee"
                    snip          | "Ann <hi>Ben</hi> Lee"
                    matched       | "Ben Lee"
                    mixed         | "T Ann Ben Lee"
                    """)
    void partsAreJoinedByBlanksInStreaming(String name, @Nullable String expected)
            throws Exception {
        for (String type : new String[] {"s", "heir"}) {
            for (String summary : new String[] {"parts", "more", "default"}) {
                assertThat(text(hit(type, summary).get(name))).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            textBlock =
                    """
                    few         | [{"name":"Ann","home":{"street":"Oak"}},{"home":{}},{"name":"Ben Lee"}]
                    few_matched | [{}]
                    one         | {"name":"Bo","home":{"zip":5}}
                    some        | {"k":{"age":9},"l":{}}
                    keys        | [{"key":"k"},{"key":"l"}]
                    none        | -
                    hidden      | [{"name":"H"},{}]
                    """)
    void aStructOrCollectionIsFilteredToTheMembers(String name, @Nullable String expected)
            throws Exception {
        for (String type : new String[] {"s", "heir"}) {
            for (String summary : new String[] {"parts", "more", "default"}) {
                assertThat(text(hit(type, summary).get(name))).isEqualTo(expected);
            }
        }
    }

    @Test
    void anInheritedSummaryHasItsOwnPartsToo() throws Exception {
        assertThat(text(hit("s", "more").get("ages"))).isEqualTo("\"3 4\"");
        assertThat(text(hit("s", "parts").get("ages"))).isNull();
    }

    @Test
    void partsAreEmptyInModeIndex() throws Exception {
        assertThat(hit("i", "parts").propertyNames())
                .containsExactlyInAnyOrder("sddocname", "title");
        assertThat(hit("i", "more").propertyNames())
                .containsExactlyInAnyOrder("sddocname", "title");
    }

    private static @Nullable String text(@Nullable JsonNode value) {
        return value == null ? null : value.toString();
    }

    private JsonNode hit(String type, String summary) throws Exception {
        String group = type.equals("i") ? "" : "&streaming.groupname=g";
        String where = type.equals("i") ? "true" : "people.name%20contains%20%22ben%22";
        ServedPackage.Answer answer =
                server.get(
                        "/search/?timeout=60s&summary=%s%s&yql=select%%20*%%20from%%20%s%%20where%%20%s"
                                .formatted(summary, group, type, where));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode fields = answer.json().path("root").path("children").path(0).path("fields");
        assertThat(fields.isMissingNode()).as(answer.toString()).isFalse();
        return fields;
    }
}
