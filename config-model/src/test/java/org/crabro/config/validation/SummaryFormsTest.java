package org.crabro.config.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.Findings;
import org.crabro.config.parser.SchemaParser;
import org.crabro.config.parser.SourceText;
import org.crabro.config.schema.DocumentSummary.Elements;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.DocumentSummary.Transform;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of a summary field, and independently the elements that it shows. */
class SummaryFormsTest {
    private static final String PEOPLE =
            """
            }
            struct person { field name type string {} field age type int {} }
            field people type array<person> { indexing: index }
            field person type person {
            indexing: index
            """;

    private final Findings findings = new Findings();
    private Mode mode = Mode.STREAMING;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # declared, one setting a line                          | form    | elements
                    full; bolding: on                                       | BOLDED  | All
                    dynamic; bolding: on                                    | DYNAMIC | All
                    bolding: on; dynamic                                    | DYNAMIC | All
                    dynamic; tokens                                         | DYNAMIC | All
                    tokens; dynamic                                         | DYNAMIC | All
                    tokens; full                                            | TOKENS  | All
                    full; matched-elements-only                             | NONE    | Matched
                    bolding: on; matched-elements-only                      | BOLDED  | Matched
                    matched-elements-only; dynamic                          | DYNAMIC | Matched
                    matched-elements-only; tokens                           | TOKENS  | Matched
                    select-elements-by: attribute(n); bolding: on; dynamic  | DYNAMIC | SelectedBy
                    bolding: off; dynamic                                   | DYNAMIC | All
                    """)
    void formAndElementsAreIndependent(String settings, Transform form, String elements) {
        String lines = settings.replace("; ", "\n");

        SummaryField inSummary =
                shown("", "document-summary a {\nsummary lines {\n" + lines + "\n}\n}", "a");
        SummaryField ofField = shown("summary {\n" + lines + "\n}", "", "default");

        for (SummaryField each : List.of(inSummary, ofField)) {
            assertThat(each.transform()).isEqualTo(form);
            assertThat(each.elements().getClass().getSimpleName()).isEqualTo(elements);
        }
    }

    @Test
    void boldingOfAFieldGoesWithItsSummary() {
        assertThat(shown("bolding: on\nsummary: dynamic", "", "default").transform())
                .isEqualTo(Transform.DYNAMIC);
        assertThat(shown("summary: matched-elements-only\nbolding: on", "", "default"))
                .isEqualTo(
                        new SummaryField(
                                "lines",
                                List.of("lines"),
                                Transform.BOLDED,
                                new Elements.Matched()));
    }

    @ParameterizedTest
    @CsvSource({"a", "b", "default"})
    void aSummaryThatSaysNothingShowsAFieldLikeTheOthers(String summary) {
        SummaryField shown =
                shown(
                        "",
                        """
                        document-summary a { summary lines { bolding: on } }
                        document-summary b { summary lines { matched-elements-only } }
                        """,
                        summary);

        assertThat(shown)
                .isEqualTo(
                        new SummaryField(
                                "lines",
                                List.of("lines"),
                                Transform.BOLDED,
                                new Elements.Matched()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    tokens                | bolding: on                        | tokens does not go with bolding
                    bolding: on           | tokens                             | bolding does not go with tokens
                    matched-elements-only | select-elements-by: attribute(n)   | matched-elements-only does not go with select-elements-by
                    """)
    void refusesWhatContradicts(String second, String first, String problem) {
        compile("", "document-summary a {\nsummary lines {\n" + first + "\n" + second + "\n}\n}");

        assertThat(findings.problems()).singleElement().asString().contains(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    dynamic               | bolding: on
                    tokens                | dynamic
                    matched-elements-only | select-elements-by: attribute(n)
                    """)
    void refusesSummariesThatShowAFieldDifferently(String one, String other) {
        compile(
                "",
                "document-summary a {\nsummary lines {\n%s\n}\n}\ndocument-summary b {\nsummary lines {\n%s\n}\n}"
                        .formatted(one, other));

        assertThat(findings.problems())
                .singleElement()
                .asString()
                .contains("'lines' is shown differently elsewhere");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"int", "raw", "weightedset<string>", "array<int>", "map<string,string>"})
    void boldedAndSnippetAreForTexts(String type) {
        for (String form : List.of("bolding: on", "dynamic")) {
            compile(
                    "}\nfield other type " + type + " {\nindexing: summary",
                    "document-summary a {\nsummary other {\n" + form + "\n}\n}");
            compile(
                    "}\nfield other type "
                            + type
                            + " {\nindexing: summary\nsummary {\n"
                            + form
                            + "\n}",
                    "");
        }
        assertThat(findings.problems())
                .hasSize(4)
                .allSatisfy(problem -> assertThat(problem).contains("is for texts"));
    }

    @ParameterizedTest
    @CsvSource({"string", "uri", "array<string>"})
    void boldedAndSnippetTakeTexts(String type) {
        for (String form : List.of("bolding: on", "dynamic")) {
            compile(
                    "}\nfield other type " + type + " {\nindexing: summary",
                    "document-summary a {\nsummary other {\n" + form + "\n}\n}");
        }
        assertThat(findings.problems()).isEmpty();
    }

    /** What says nothing in the heir, or nothing in the parent, is shown like the other. */
    @ParameterizedTest
    @CsvSource({"bolding: on, matched-elements-only", "matched-elements-only, bolding: on"})
    void anInheritedSummaryHasTheFormAndElementsOfBoth(String above, String below) {
        String summaries =
                """
                document-summary a { summary lines { %s } }
                document-summary b inherits a { summary lines { %s } }
                document-summary c inherits b { }
                """
                        .formatted(above, below);

        for (String summary : List.of("a", "b", "c")) {
            assertThat(shown("", summaries, summary))
                    .isEqualTo(
                            new SummaryField(
                                    "lines",
                                    List.of("lines"),
                                    Transform.BOLDED,
                                    new Elements.Matched()));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    summary x { source: people.nam }        | shows the part 'people.nam', which does not exist
                    summary x { source: persons.name }      | shows the field 'persons.name', which does not exist
                    summary x { source: people.name.first } | shows the part 'people.name.first', which does not exist
                    summary x { source: people.age bolding: on } | bolding is for texts and arrays of texts, and field 'people.age' is of type int
                    summary people { source: people.name bolding: on } | bolding is for texts and arrays of texts, and field 'people' is of type array<person>
                    summary x { source: person.name matched-elements-only } | matched-elements-only is for arrays, weighted sets and maps, and field 'person' is of type person
                    """)
    void refusesPartsThatCannotBeShown(String summary, String problem) {
        compile(
                PEOPLE,
                "document-summary a {\n"
                        + summary.replace(" bolding", "\nbolding").replace(" matched", "\nmatched")
                        + "\n}");

        assertThat(findings.problems()).singleElement().asString().contains(problem);
    }

    @Test
    void warnsOfPartsOfSeveralFieldsInOneStruct() {
        compile(
                PEOPLE,
                "document-summary a { summary x type array<person> { source: people.name, person.name } }");

        assertThat(findings.problems()).isEmpty();
        assertThat(findings.notices())
                .anySatisfy(warning ->
                        assertThat(warning.message())
                                .contains(
                                        "'x' is shown as one text: its sources are parts of several fields"));
    }

    @Test
    void warnsThatPartsAreEmptyInModeIndex() {
        mode = Mode.INDEX;
        compile(PEOPLE, "document-summary a { summary x { source: people.name } }");

        assertThat(findings.problems()).isEmpty();
        assertThat(findings.notices())
                .anySatisfy(warning ->
                        assertThat(warning.message())
                                .contains("'x' is empty in hits of types with mode index"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    summary lines { source: x }                            | lines   | NONE
                    summary lines { source: y }                            | lines   | BOLDED
                    summary lines { source: y dynamic }                    | lines   | DYNAMIC
                    summary lines { source: x, n }                         | lines,n | NONE
                    summary lines { source: z }                            | lines,n | NONE
                    summary lines { source: z, x }                         | lines,n,lines | NONE
                    """)
    void aSourceMayBeASummaryFieldOfAnySummary(String summary, String sources, Transform form) {
        Schema schema =
                compile(
                                "",
                                """
                                document-summary a {
                                %s
                                summary x { source: lines }
                                }
                                document-summary b {
                                summary y {
                                source: x
                                bolding: on
                                }
                                summary z { source: x, n }
                                }
                                """
                                        .formatted(
                                                summary.replace(" lines {", " shown {")
                                                        .replace("source", "\nsource")
                                                        .replace(" dynamic", "\ndynamic")))
                        .orElseThrow();

        assertThat(findings.problems()).isEmpty();
        assertThat(Objects.requireNonNull(schema.summaries().byName().get("a")).fields())
                .contains(new SummaryField("shown", List.of(sources.split(",", -1)), form));
    }

    @Test
    void aSummaryFieldWithoutASourceMayBeThatOfAnotherSummary() {
        Schema schema =
                compile(
                                "",
                                """
                                document-summary a { summary x { source: lines } }
                                document-summary b { summary x { } }
                                """)
                        .orElseThrow();

        assertThat(findings.problems()).isEmpty();
        assertThat(Objects.requireNonNull(schema.summaries().byName().get("b")).fields())
                .containsExactly(new SummaryField("x", "lines"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    summary x { source: x }                                         | summary 'x' has itself as a source: x shows x
                    summary x { source: y } summary y { source: lines, x }          | summary 'y' has itself as a source: y shows x shows y
                    summary x { source: y } summary y { source: linse }             | shows the field 'linse', which does not exist
                    """)
    void refusesSourcesThatGoInACircleOrNowhere(String summary, String problem) {
        compile("", "document-summary a {\n" + summary.replace("} ", "}\n") + "\n}");

        assertThat(findings.problems()).singleElement().asString().contains(problem);
    }

    @ParameterizedTest
    @CsvSource({"dynamic, DYNAMIC", "bolding: on, BOLDED"})
    void severalSourcesMayIncludeNumbersWhichAreNotHighlighted(String word, Transform form) {
        SummaryField shown =
                Objects.requireNonNull(
                                compile(
                                                "}\nfield year type int {\nindexing: attribute",
                                                "document-summary a {\nsummary lines {}\nsummary x {\nsource: lines, year\n"
                                                        + word
                                                        + "\n}\n}")
                                        .orElseThrow()
                                        .summaries()
                                        .byName()
                                        .get("a"))
                        .fields()
                        .getLast();

        assertThat(findings.problems()).isEmpty();
        assertThat(findings.notices())
                .singleElement()
                .satisfies(warning ->
                        assertThat(warning.message())
                                .contains("field 'year' of type int is shown without marks"));
        assertThat(shown).isEqualTo(new SummaryField("x", List.of("lines", "year"), form));
    }

    @Test
    void boundsTheSourcesThatSummaryFieldsStandFor() {
        var chain = new StringBuilder();
        var wide = new StringBuilder("summary w0 { source: lines }\n");
        for (int i = 0; i < 150; i++) {
            chain.append("summary c%d { source: c%d }\n".formatted(i, i + 1));
            wide.append("summary w%d { source: w%d, w%d }\n".formatted(i + 1, i, i));
        }
        compile("", "document-summary a {\n" + chain + "summary c150 { source: lines }\n}");
        compile("", "document-summary a {\n" + wide + "}");

        assertThat(findings.problems())
                .hasSize(2)
                .anySatisfy(problem ->
                        assertThat(problem).contains("is a source through more than 100 others"))
                .anySatisfy(problem ->
                        assertThat(problem).contains("summary 'w10' shows more than 1,000 fields"));
    }

    private SummaryField shown(String inField, String outside, String summary) {
        Schema schema = compile(inField, outside).orElseThrow();

        assertThat(findings.problems()).isEmpty();
        return Objects.requireNonNull(schema.summaries().byName().get(summary)).fields().stream()
                .filter(field -> field.name().equals("lines"))
                .findFirst()
                .orElseThrow();
    }

    private Optional<Schema> compile(String inField, String outside) {
        String text =
                """
                schema s {
                document s {
                field lines type array<string> {
                indexing: index | summary
                %s
                }
                field n type tensor(x{}) { indexing: attribute }
                }
                rank-profile r { match-features: attribute(n) }
                %s
                }
                """
                        .formatted(inField, outside);
        var parsed = SchemaParser.parse(new SourceText("schemas/s.sd", text));
        parsed.errors().forEach(error -> findings.problem(String.valueOf(error.getMessage())));
        return parsed.schema()
                .filter(_ -> parsed.errors().isEmpty())
                .flatMap(schema ->
                        SchemaCompiler.compile(
                                schema,
                                new Components(
                                        Optional.of(Set.of()),
                                        Set.of(mode),
                                        Map.of(),
                                        Map.of(),
                                        Set.of("s"),
                                        Set.of()),
                                findings));
    }
}
