package org.crabro.config.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.crabro.config.application.MapFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.InvalidApplicationException;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.DocumentSummary.Elements;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.DocumentSummary.Transform;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.program.RankProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schemas that inherit, some of them with parts in files of their own. */
class SchemaInheritanceTest {
    private static final String BASE =
            """
            schema base {
              document base {
                field title type string { indexing: index | summary }
                field year type int { indexing: attribute }
              }
              field short type string { indexing: input title | attribute }
              fieldset default { fields: title }
              fieldset all { fields: title }
              rank-profile default { first-phase { expression: bm25(title) } }
              rank-profile near inherits default { match-features: attribute(year) }
              document-summary little { summary title {} }
              document-summary tiny { summary year {} }
            }
            """;

    private static final String SUM =
            "Binary[operator=PLUS, left=bm25(title), right=attribute(year)]";

    private final Map<String, String> files = new HashMap<>(Map.of("schemas/base.sd", BASE));

    @Test
    void inheritsAllOfASchemaExceptWhatItReplaces() {
        files.put(
                "schemas/child.sd",
                """
                schema child inherits base {
                  document child inherits base {
                    field body type string { indexing: index }
                  }
                  fieldset default { fields: title, body }
                  rank-profile default inherits default { match-features: attribute(year) }
                  rank-profile own inherits near { first-phase { expression: 2 * attribute(year) } }
                  document-summary little { summary body {} }
                }
                """);

        Schema child = schema("child");

        assertThat(child.documentType().name()).isEqualTo("child");
        assertThat(child.fields().keySet()).containsExactly("title", "year", "body", "short");
        assertThat(child.field("short").orElseThrow().field().inDocument()).isFalse();
        assertThat(child.names().fieldsets().keySet()).containsExactlyInAnyOrder("default", "all");
        assertThat(Objects.requireNonNull(child.names().fieldsets().get("default")).fields())
                .containsExactly("title", "body");
        assertThat(child.summaries().byName().keySet())
                .containsExactlyInAnyOrder("default", "snippets", "little", "tiny");
        assertThat(child.rankProfiles().keySet())
                .containsExactlyInAnyOrder("default", "unranked", "near", "own");
        // The new profile inherits the replaced one, and so does the profile near.
        assertThat(profile(child, "default").firstPhase()).hasToString("bm25(title)");
        assertThat(profile(child, "default").shown().match()).containsKey("attribute(year)");
        assertThat(profile(child, "near").firstPhase()).hasToString("bm25(title)");
        assertThat(schema("base").fields().keySet()).containsExactly("title", "year", "short");
    }

    @Test
    void inheritsTheFormOfBytesAndTheDirectionOfSorting() {
        files.put(
                "schemas/a.sd",
                """
                schema a inherits base {
                  document a inherits base {
                    field size type long { indexing: attribute
                      sorting: descending }
                    field rise type long { indexing: attribute
                      sorting { descending
                        ascending } }
                  }
                  raw-as-base64-in-summary: false
                }
                """);
        files.put("schemas/b.sd", "schema b inherits a { document b inherits a {} }");
        files.put(
                "schemas/c.sd",
                "schema c inherits a { document c inherits a {} raw-as-base64-in-summary }");

        assertThat(schema("b").summaries().rawAsBase64()).isFalse();
        assertThat(schema("c").summaries().rawAsBase64()).isTrue();
        assertThat(schema("base").summaries().rawAsBase64()).isTrue();
        assertThat(schema("b").field("size").orElseThrow().values().sorting().descends()).isTrue();
        assertThat(schema("b").field("rise").orElseThrow().values().sorting().descends()).isFalse();
    }

    @Test
    void inheritsFieldsOfDocuments() {
        files.put(
                "schemas/other.sd",
                "schema other { document other { field size type long { indexing: attribute } } }");
        files.put(
                "schemas/both.sd",
                """
                schema both {
                  document both inherits base, other {}
                  rank-profile mine inherits near {}
                }
                """);

        Schema both = schema("both");

        assertThat(both.fields().keySet()).containsExactly("title", "year", "size", "short");
        assertThat(both.names().fieldsets()).isEmpty();
        assertThat(both.rankProfiles().keySet())
                .containsExactlyInAnyOrder("default", "unranked", "mine");
        assertThat(profile(both, "mine").shown().match()).containsKey("attribute(year)");
        assertThat(profile(both, "mine").firstPhase()).hasToString("bm25(title)");
    }

    @Test
    void aRepeatedFieldHasTheSettingsOfTheChild() {
        files.put(
                "schemas/again.sd",
                """
                schema again {
                  document again inherits base {
                    field year type int { indexing: attribute | summary }
                  }
                }
                """);

        Schema again = schema("again");

        assertThat(again.fields().keySet()).containsExactlyInAnyOrder("title", "year", "short");
        assertThat(again.field("year").orElseThrow().aspects())
                .containsExactlyInAnyOrder(Aspect.ATTRIBUTE, Aspect.SUMMARY);
        assertThat(schema("base").field("year").orElseThrow().aspects())
                .containsExactly(Aspect.ATTRIBUTE);
    }

    @Test
    void aNestedProfileInheritsTheInheritedOneThatContainsIt() {
        files.put(
                "schemas/up.sd",
                """
                schema up {
                  document up {}
                  rank-profile outer {
                    function f() { expression: 1 }
                    rank-profile inner inherits outer { first-phase { expression: f } }
                  }
                }
                """);
        files.put(
                "schemas/down.sd",
                """
                schema down inherits up {
                  document down inherits up {}
                  rank-profile outer {
                    function f() { expression: 2 }
                    rank-profile own inherits outer { first-phase { expression: f } }
                  }
                }
                """);

        assertThat(score(profile(schema("down"), "outer.inner"))).isEqualTo(1);
        assertThat(score(profile(schema("down"), "outer.own"))).isEqualTo(2);
    }

    @Test
    void goesOnOverSeveralSchemas() {
        files.put(
                "schemas/b.sd",
                "schema b inherits base { document b inherits base {} rank-profile default inherits default { } }");
        files.put(
                "schemas/a.sd",
                "schema a inherits b { document a inherits b {} rank-profile default inherits default { match-features: attribute(year) } }");

        assertThat(profile(schema("a"), "default").firstPhase()).hasToString("bm25(title)");
        assertThat(schema("a").rankProfiles()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    schema s { document s inherits doc { } }                                       => ``
                    schema s { document s inherits doc { } rank-profile q inherits p { } }         => q=11
                    schema s { document s inherits doc { } rank-profile q inherits low { } }       => q=7
                    schema s { document s inherits doc { } rank-profile q inherits low, high { first-phase { expression: sum(c) } } } => q=7
                    schema s { document s inherits doc { } constant c { file: other.json type: tensor(x[2]) } rank-profile q inherits low { } } => q=7
                    schema s { document s inherits doc { } constant c { file: other.json type: tensor(x[2]) } rank-profile q { first-phase { expression: sum(c) } } } => q=110
                    schema s { document s inherits doc { } rank-profile q inherits low { constants { c tensor(x[2]): file:other.json } } } => q=110
                    schema s inherits doc { document s inherits doc { } rank-profile p { first-phase { expression: 9 } } } => both=7, high=7, low=7, p=9
                    schema s inherits doc { document s inherits doc { } rank-profile p inherits p { } } => both=7, high=7, low=7, p=11
                    schema s inherits doc { document s inherits doc { } rank-profile q inherits p { constants { c tensor(x[2]): file:other.json } } } => both=7, high=7, low=7, p=11, q=110
                    schema s inherits doc { document s inherits doc { } rank-profile p inherits p { constants { c tensor(x[2]): file:other.json } } } => both=7, high=7, low=7, p=110
                    schema s inherits doc { document s inherits doc { } constant c { file: other.json type: tensor(x[2]) } } => both=110, high=110, low=110, p=11
                    schema s { document s inherits between { } rank-profile q inherits m { } rank-profile r inherits n { } } => q=11, r=7
                    schema s { document s inherits doc, between { } rank-profile q inherits p { } rank-profile r inherits low, n { first-phase { expression: sum(c) } } } => q=11, r=7
                    """)
    void inheritsConstantsInFilesWithProfiles(String schema, String scores) {
        files.put(
                "schemas/doc.sd",
                """
                schema doc {
                  document doc { }
                  constant c { file: low.json type: tensor(x[2]) }
                  rank-profile p {
                    constants { c tensor(x[2]): file:high.json }
                    function total() { expression: sum(constant(c)) }
                    first-phase { expression: total }
                  }
                  rank-profile low { first-phase { expression: sum(constant(c)) } }
                  rank-profile high { function total() { expression: sum(c) } first-phase { expression: total } }
                  rank-profile both inherits low, high { first-phase { expression: sum(constant(c)) } }
                }
                """);
        files.put(
                "schemas/between.sd",
                "schema between { document between inherits doc { } rank-profile m inherits p { } rank-profile n inherits low { } }");
        files.put("schemas/s.sd", schema);
        files.put("low.json", "{\"values\": [3, 4]}");
        files.put("high.json", "{\"values\": [5, 6]}");
        files.put("other.json", "{\"values\": [50, 60]}");

        Schema child = schema("s");

        var constants = new TreeMap<String, Integer>();
        child.rankProfiles().values().stream()
                .filter(profile -> !profile.name().equals("default"))
                .filter(profile -> !profile.name().equals("unranked"))
                .forEach(profile -> constants.put(profile.name(), (int) score(profile)));
        assertThat(constants).hasToString("{" + scores + "}");
    }

    /**
     * {@code c<a,b:p} is a schema whose document inherits a and b, {@code c=a,b:p} one that itself
     * inherits a, too. {@code q1} is a profile that scores 1; {@code p} inherits q, and {@code Q}
     * is a q that inherits q. The last profile is the one that is looked at.
     */
    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    a:q1 b<a c<b:p                   => 1
                    a:q1 b<a c<b d<c:p               => 1
                    a:q1 b<a:q2 c<b:p                => 2
                    z:q9 a<z:q1 b<a c<b:p            => 1
                    z:q9 a<z:q1 b<a c<b:q3p          => 3
                    a:q1 b<a c<b:Q                   => 1
                    z:q9 a<z:q1 b<a:Q c<b:p          => 1
                    a:q1 b<a x:q5 c<b,x:p            => 5
                    a:q1 b<a x:q5 c<x,b:p            => 5
                    a:q1 b<a x:q5 y<x c<y,b:p        => 5
                    a:q1 b<a x:q5 y<x c<b,y:p        => 1
                    a:q1 b<a y<a c<b,y:p             => 1
                    a:q1 b<a y<a:q4 c<b,y:p          => 4
                    a:q1 b=a c<b:p                   => 1
                    a:q1 b=a:q2 c<b:p                => 2
                    a:q1 b=a:Q c<b:p                 => 1
                    a:q1 b<a c=b:p                   => 1
                    a:q1 b<a c=b:Q                   => 1
                    a:q1 b<a c=b d=c:p               => 1
                    a:q1 b<a c=b d<c:p               => 1
                    z:q9 b<z x:q5 c=b,x:p            => 5
                    z:q9 b<z:q2 x:q5 c=b,x:p         => 2
                    z:q9 b<z:q2 x:q5 c=b,x:Q         => 2
                    a:r1 b<a c<b:p                   => fails
                    """)
    void inheritsTheNearestProfileOfAName(String chain, String score) {
        for (String each : chain.split(" ", -1)) {
            files.put("schemas/%c.sd".formatted(each.charAt(0)), schemaInShort(each));
        }
        String last = chain.substring(chain.lastIndexOf(' ') + 1, chain.lastIndexOf(' ') + 2);

        if (score.equals("fails")) {
            assertThatExceptionOfType(InvalidApplicationException.class)
                    .isThrownBy(() -> schema(last))
                    .withMessageContaining("rank-profile 'p' inherits 'q', which does not exist");
        } else {
            RankProfile profile = profile(schema(last), chain.endsWith("Q") ? "q" : "p");
            assertThat(score(profile)).isEqualTo(Integer.parseInt(score));
        }
    }

    private static String schemaInShort(String text) {
        String[] parts = text.split(":", 2);
        char name = text.charAt(0);
        String parents = parts[0].substring(Math.min(2, parts[0].length()));
        String profiles =
                (parts.length == 1 ? "" : parts[1])
                        .replaceAll(
                                "([qr])(\\d)",
                                " rank-profile $1 { first-phase { expression: $2 } }")
                        .replaceAll("p$", " rank-profile p inherits q { }")
                        .replaceAll("Q$", " rank-profile q inherits q { }");
        return "schema %c%s { document %c%s { }%s }"
                .formatted(
                        name,
                        parts[0].contains("=") ? " inherits " + parents.charAt(0) : "",
                        name,
                        parents.isEmpty() ? "" : " inherits " + parents,
                        profiles);
    }

    /** Returns the first-phase score, which depends on nothing of a document. */
    private static double score(RankProfile profile) {
        var scores = new double[1];
        RankProgram.compile(profile.firstPhase())
                .evaluation(1)
                .evaluate((_, _, _) -> {}, 1, scores);
        return scores[0];
    }

    /**
     * What the summaries of both schemas say is together the form and the elements of the field.
     */
    @ParameterizedTest
    @CsvSource({"bolding: on, matched-elements-only", "matched-elements-only, bolding: on"})
    void aSummaryFieldHasOneFormAndOneSelectionInInheritedSummariesToo(String above, String below) {
        files.put("schemas/top.sd", top(above));
        files.put(
                "schemas/low.sd",
                """
                schema low inherits top {
                  document low inherits top { }
                  document-summary two inherits one { summary lines { %s } }
                  document-summary three { summary lines { } }
                }
                """
                        .formatted(below));

        var both =
                new SummaryField(
                        "lines", List.of("lines"), Transform.BOLDED, new Elements.Matched());
        assertThat(schema("low").summaries().byName().values())
                .filteredOn(summary -> !summary.name().equals(DocumentSummary.SNIPPETS))
                .hasSize(4)
                .allSatisfy(summary -> assertThat(summary.fields()).contains(both));
    }

    @ParameterizedTest
    @CsvSource({
        "bolding: on, dynamic",
        "dynamic, tokens",
        "matched-elements-only, select-elements-by: attribute(n)"
    })
    void refusesAFormOrSelectionThatContradictsAnInheritedSummary(String above, String below) {
        files.put("schemas/top.sd", top(above));
        files.put(
                "schemas/low.sd",
                """
                schema low inherits top {
                  document low inherits top { }
                  rank-profile r { match-features: attribute(n) }
                  document-summary two {
                    summary lines {
                      %s
                    }
                  }
                }
                """
                        .formatted(below));

        assertThatExceptionOfType(InvalidApplicationException.class)
                .isThrownBy(() -> schema("low"))
                .satisfies(e ->
                        assertThat(e.problems())
                                .singleElement()
                                .asString()
                                .contains("'lines' is shown differently elsewhere"));
    }

    private static String top(String form) {
        return """
        schema top {
          document top {
            field lines type array<string> { indexing: index | summary }
            field n type tensor(x{}) { indexing: attribute }
          }
          document-summary one {
            summary lines {
              %s
            }
          }
        }
        """
                .formatted(form);
    }

    @Test
    void readsProfilesAndExpressionsInFilesOfTheirOwn() {
        files.put(
                "schemas/base/fast/quick.profile",
                """
                rank-profile quick inherits near {
                  first-phase { expression: file: score }
                  function twice() { expression { file: score.expression } }
                  match-features: twice
                  rank-profile er inherits quick {
                    first-phase { expression: 7 }
                  }
                }
                """);
        files.put("schemas/score.expression", "\n  bm25(title) +\n  attribute(year)\n");

        Schema base = schema("base");

        assertThat(profile(base, "quick").firstPhase()).hasToString(SUM);
        assertThat(profile(base, "quick").shown().match().values())
                .map(Object::toString)
                .containsExactly(SUM);
        assertThat(profile(base, "quick.er").firstPhase()).isEqualTo(new Expression.Constant(7));
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    schema s inherits t { document s inherits t {} }    => 1:19: schema 's' inherits 't', which does not exist
                    schema s inherits s { document s inherits s {} }    => 1:19: schema 's' inherits itself: s inherits s
                    schema s inherits base { document s {} }            => 1:35: schema 's' inherits 'base', so its document has to, too: document s inherits base
                    schema s { document s inherits bas {} }             => 1:32: document 's' inherits 'bas', which does not exist; did you mean 'base'?
                    schema s { document s inherits base { field Title type int {} } } => 1:45: field 'Title' is declared twice; the first is at schemas/base.sd:3:11 (letter case does not count: 'title')
                    schema s { document s {} rank-profile p inherits near {} } => 1:50: rank-profile 'p' inherits 'near', which does not exist
                    schema s { document s {} rank-profile p { first-phase { expression: file: scor } } } => 1:69: there is no file schemas/scor.expression; did you mean 'score'?
                    schema s { document s {} rank-profile p { first-phase { expression: file: score } } } => schemas/score.expression:2:6: expected a value but found the end
                    """)
    void rejectsWrongInheritance(String schema, String problem) {
        files.put("schemas/s.sd", schema);
        files.put("schemas/score.expression", "1\n+ 2 *");

        assertThatExceptionOfType(InvalidApplicationException.class)
                .isThrownBy(() -> schema("s"))
                .satisfies(e ->
                        assertThat(e.problems().getFirst().lines().findFirst().orElseThrow())
                                .isEqualTo(
                                        problem.startsWith("schemas/")
                                                ? problem
                                                : "schemas/s.sd:" + problem));
    }

    @Test
    void reportsAProfileInAFileOfAnotherName() {
        files.put("schemas/base/a.profile", "rank-profile b {}");

        assertThatExceptionOfType(InvalidApplicationException.class)
                .isThrownBy(() -> schema("base"))
                .withMessageContaining(
                        "schemas/base/a.profile:1:14: rank-profile 'b' must be in a file called"
                                + " b.profile");
    }

    private static RankProfile profile(Schema schema, String name) {
        return Objects.requireNonNull(schema.rankProfiles().get(name), name);
    }

    private Schema schema(String name) {
        var all = new HashMap<>(files);
        all.put(
                "services.xml",
                """
                <content id="store" version="1.0">
                  <redundancy>1</redundancy>
                  <documents>
                    <document type="base" mode="index"/><document type="%s" mode="index"/>
                  </documents>
                </content>
                """
                        .formatted(name)
                        .replace(
                                name.equals("base")
                                        ? "<document type=\"base\" mode=\"index\"/><document"
                                        : "<none>",
                                "<document"));
        return Objects.requireNonNull(
                ApplicationCompiler.compile(new MapFiles(all), 1).model().schemas().get(name));
    }
}
