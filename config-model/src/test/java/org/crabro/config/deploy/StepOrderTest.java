package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.crabro.config.application.MapFiles;
import org.crabro.config.validation.SchemaStep;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The order in which the problems of a schema are reported: by steps, and not by lines. */
class StepOrderTest {
    /**
     * A mistake that is found in one step.
     *
     * @param inside text inside of the document
     * @param outside text outside of the document
     * @param told in the first line of the problem
     */
    private record Mistake(String inside, String outside, String told) {}

    /** Steps that have notices alone. */
    private static final Set<SchemaStep> WITHOUT_PROBLEMS =
            EnumSet.of(SchemaStep.IGNORED, SchemaStep.INDEX_OF_NUMBERS);

    private static final Map<SchemaStep, Mistake> MISTAKES = new EnumMap<>(SchemaStep.class);

    static {
        inside(SchemaStep.TYPES, "field a type strin {}", "unknown type 'strin'");
        inside(SchemaStep.NAMES, "field host type string {}", "'host' is a reserved word");
        inside(
                SchemaStep.ALIASES,
                "field b type string { indexing: index\nalias: title }",
                "alias 'title' is the name of a field");
        outside(
                SchemaStep.INPUTS,
                "field c type string { indexing: input nothing | index }",
                "input reads 'nothing'");
        inside(
                SchemaStep.MUTABLE,
                "field d type int { indexing: attribute\nattribute: mutable }",
                "mutable is for fields outside the document");
        inside(
                SchemaStep.POSITION,
                "field e type position { indexing: attribute\nattribute: enable-only-bit-vector }",
                "of positions an attribute is only");
        inside(
                SchemaStep.DICTIONARY,
                "field f type string { indexing: attribute\ndictionary: btree }",
                "a dictionary is that of an attribute");
        outside(
                SchemaStep.IMPORTS,
                "import field none.x as imported {}",
                "there is no reference 'none'");
        outside(
                SchemaStep.SUMMARIES,
                "document-summary g { summary nothing {} }",
                "document-summary 'g' shows the field 'nothing'");
        inside(
                SchemaStep.ATTRIBUTES,
                "field h type string { indexing: index\nattribute: paged }",
                "paged is set for an attribute");
        inside(
                SchemaStep.OUTPUTS,
                "field i type string { indexing: lowercase | index }",
                "the script of document field 'i' changes its value");
        inside(
                SchemaStep.GRAM,
                "field j type string { indexing: attribute\nmatch: gram }",
                "gram needs index");
        inside(
                SchemaStep.MATCH,
                "field k type string { indexing: summary\nmatch: word }",
                "word has no meaning");
        inside(
                SchemaStep.FIELD_TYPES,
                "field l type map<string, int> { indexing: attribute }",
                "a field of type map<string, int> cannot be an attribute");
        outside(
                SchemaStep.FIELDSETS,
                "fieldset m { fields: nothing }",
                "fieldset 'm' names the field 'nothing'");
        outside(
                SchemaStep.MATCH_PHASE,
                "rank-profile n { match-phase { attribute: title max-hits: 5 } }",
                "match-phase needs an attribute");
        outside(
                SchemaStep.DIVERSITY,
                "rank-profile o { diversity { attribute: year min-groups: 5 } }",
                "diversity needs a match-phase");
        inside(
                SchemaStep.TENSORS,
                "field p type tensor(x{}) { indexing: attribute | index }",
                "an index of vectors needs exactly one indexed dimension");
        outside(
                SchemaStep.RANK_INPUTS,
                "rank-profile q { inputs { query(v) tensor<float>(x[3]) } }",
                "rank-profile 'q' declares query(v)");
        inside(
                SchemaStep.REFERENCES,
                "field r type reference<note> { indexing: attribute }",
                "documents of type 'note' refer to themselves");
        outside(
                SchemaStep.PROFILES,
                "rank-profile s { function f() { expression: 1 } function f() { expression: 2 } }",
                "function 'f' is declared twice");
        outside(
                SchemaStep.MODELS,
                "constant t { file: constants/none.json type: tensor(x[1]) }",
                "there is no file 'constants/none.json'");
        outside(
                SchemaStep.EXPRESSIONS,
                "rank-profile u { first-phase { expression: nothing } }",
                "there is no feature or function 'nothing'");
        inside(
                SchemaStep.PAGED,
                "field w type predicate { index { arity: 2 } indexing: attribute\nattribute: paged }",
                "paged is neither for predicates");
        outside(
                SchemaStep.SCRIPTS,
                "field x type int { indexing: input title | attribute }",
                "the value is of type string");
    }

    private static void inside(SchemaStep step, String text, String told) {
        MISTAKES.put(step, new Mistake(text, "", told));
    }

    private static void outside(SchemaStep step, String text, String told) {
        MISTAKES.put(step, new Mistake("", text, told));
    }

    static Stream<SchemaStep> steps() {
        return MISTAKES.keySet().stream();
    }

    @Test
    void everyStepHasAMistake() {
        var missing = EnumSet.allOf(SchemaStep.class);
        missing.removeAll(MISTAKES.keySet());
        missing.removeAll(WITHOUT_PROBLEMS);

        // The step DOCUMENT is tested below: without a document nothing else is reported.
        assertThat(missing).containsExactly(SchemaStep.DOCUMENT);
    }

    /** The mistake of a later step is first in the file, and is still reported second. */
    @ParameterizedTest
    @MethodSource("steps")
    void goesBeforeAllLaterSteps(SchemaStep step) {
        Mistake earlier = Objects.requireNonNull(MISTAKES.get(step));
        var softly = new SoftAssertions();
        MISTAKES.forEach((other, later) -> {
            if (other.compareTo(step) > 0) {
                List<String> told =
                        told(
                                schema(
                                        later.inside() + "\n" + earlier.inside(),
                                        later.outside() + "\n" + earlier.outside()));

                softly.assertThat(told.getFirst())
                        .as("%s with %s", step, other)
                        .contains(earlier.told());
                softly.assertThat(told)
                        .as("%s with %s", step, other)
                        .anyMatch(each -> each.contains(later.told()));
            }
        });

        softly.assertAll();
    }

    @Test
    void aDocumentGoesBeforeEverythingElse() {
        List<String> told =
                told("schema note { fieldset a { fields: b } field host type string {} }");

        assertThat(told).singleElement().asString().contains("schema 'note' has no document");
    }

    private static String schema(String inside, String outside) {
        return """
        schema note {
          document note {
            field title type string { indexing: index | summary }
            field year type int { indexing: attribute }
        %s
          }
        %s
        }
        """
                .formatted(inside, outside);
    }

    private static List<String> told(String schema) {
        var files =
                new MapFiles(
                        Map.of(
                                "services.xml",
                                """
                                <content version="1.0"><redundancy>1</redundancy><documents>
                                  <document type="note" mode="index"/>
                                </documents></content>
                                """,
                                "schemas/note.sd",
                                schema,
                                "search/query-profiles/types/t.xml",
                                """
                                <query-profile-type id="t">
                                  <field name="query(v)" type="tensor&lt;float&gt;(x[2])"/>
                                </query-profile-type>
                                """));
        List<String> told =
                assertThatExceptionOfType(InvalidApplicationException.class)
                        .isThrownBy(() -> ApplicationCompiler.compile(files, 1))
                        .actual()
                        .problems();
        return told.stream().map(each -> each.lines().findFirst().orElse("")).toList();
    }
}
