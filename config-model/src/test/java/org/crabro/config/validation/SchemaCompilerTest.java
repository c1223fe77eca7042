package org.crabro.config.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.entry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.crabro.config.application.Findings;
import org.crabro.config.application.Notice;
import org.crabro.config.parser.SchemaParser;
import org.crabro.config.parser.SourceText;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary.Elements;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.DocumentSummary.Transform;
import org.crabro.config.schema.FieldRanking;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.config.schema.MatchMode.Unit;
import org.crabro.config.schema.MatchRules;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.ShownFeatures;
import org.crabro.config.schema.Stemming;
import org.crabro.config.schema.WordReading;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionText;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaCompilerTest {
    private static final String MUSIC =
            """
            schema music {
                document music {
                    field title type string {
                        indexing: index | summary
                    }
                    field artist type string {
                        indexing: attribute | summary
                        match: prefix
                    }
                    field lines type array<string> {
                        indexing: index
                        match { word cased suffix }
                    }
                    field year type int {
                        indexing: index | summary
                    }
                    field sold type long { indexing: attribute }
                    field note type string {}
                }
                field embedding type tensor<bfloat16>(x[4]) {
                    indexing: (input title || "") . " " . input artist | embed | attribute | index
                    attribute { distance-metric: angular }
                }
                fieldset default { fields: title, lines }
                rank-profile hybrid {
                    inputs {
                        query(q) tensor<float>(x[4])
                        query(weight): 0.5
                    }
                    constants { offset: 2 }
                    function vectors() { expression: closeness(field, embedding) * query(weight) }
                    function text(f) { expression: bm25(f) }
                    first-phase { expression: vectors + text(title) + offset + constant(offset) }
                    match-features: vectors bm25(title) firstPhase
                    rank-properties { bm25(title).k1: 1.5 }
                }
                rank-profile recent inherits hybrid {
                    function vectors() { expression: freshness(sold) }
                    match-features inherits hybrid { attribute(year) }
                }
                rank-profile none inherits unranked {}
                rank-profile plain {}
                document-summary short { summary title {} summary by { source: artist } }
                document-summary long inherits short { summary note {} summary documentid {} }
            }
            """;

    @Test
    void knowsWhereFieldsGo() {
        Schema music = compile(MUSIC);

        assertThat(music.documentType().fields().stream().map(f -> f.name() + ":" + f.inDocument()))
                .containsExactly(
                        "title:true",
                        "artist:true",
                        "lines:true",
                        "year:true",
                        "sold:true",
                        "note:true",
                        "embedding:false");
        assertThat(field(music, "title").aspects())
                .containsExactlyInAnyOrder(Aspect.INDEX, Aspect.SUMMARY);
        assertThat(field(music, "year").aspects())
                .as("an index of numbers is an attribute")
                .containsExactlyInAnyOrder(Aspect.ATTRIBUTE, Aspect.SUMMARY);
        assertThat(field(music, "note").isSearchable()).isFalse();
        assertThat(field(music, "embedding").values().metric()).isEqualTo(DistanceMetric.ANGULAR);
        assertThat(field(music, "sold").values().metric()).isEqualTo(DistanceMetric.EUCLIDEAN);
    }

    @Test
    void knowsHowFieldsMatch() {
        Schema music = compile(MUSIC);

        assertThat(field(music, "title").matching().mode()).isEqualTo(MatchMode.TEXT);
        assertThat(field(music, "artist").matching().mode())
                .isEqualTo(new MatchMode(Unit.VALUE, Affix.PREFIX, false));
        assertThat(field(music, "lines").matching().mode())
                .isEqualTo(new MatchMode(Unit.VALUE, Affix.SUFFIX, true));
        assertThat(get(music.names().fieldsets(), "default").fields())
                .containsExactly("title", "lines");
    }

    @Test
    void findsOtherFormsOfWordsWhereTheTypeOrTheFieldAsksForIt() {
        String fields =
                """
                field a type string { indexing { index } }
                field b type string { indexing { index } stemming: none }
                field c type string { indexing { index } index { stemming: Multiple } }
                field d type string { indexing { attribute } }
                field e type string { indexing { index } match: cased }
                field f type string { indexing { index } match: gram }
                field g type int { indexing { attribute } }
                """;

        assertThat(stemmed(fields, "", Mode.STREAMING)).isEqualTo("c MULTIPLE");
        assertThat(stemmed(fields, "", Mode.INDEX)).isEqualTo("a BEST, c MULTIPLE");
        assertThat(stemmed(fields, "stemming: shortest", Mode.STREAMING))
                .isEqualTo("a SHORTEST, c MULTIPLE");
        assertThat(stemmed(fields, "stemming: none", Mode.INDEX)).isEqualTo("c MULTIPLE");
    }

    private static String stemmed(String fields, String ofSchema, Mode mode) {
        Schema schema =
                compile(schema(fields, ofSchema), Set.of(), mode, new Findings()).orElseThrow();
        return schema.fields().values().stream()
                .filter(field -> field.matching().mode().stemming() != Stemming.NONE)
                .map(field -> field.field().name() + " " + field.matching().mode().stemming())
                .collect(Collectors.joining(", "));
    }

    @Test
    void knowsGramsAndLengths() {
        Schema schema =
                compile(
                        schema(
                                """
                                field a type string { indexing { index } match { gram gram-size: 3 } }
                                field b type string { indexing { index } match { gram max-length: 9 } }
                                field c type string { indexing { index } match { max-length: 9999999 } }
                                """,
                                ""));

        assertThat(field(schema, "a").matching().mode()).isEqualTo(MatchMode.TEXT.byGrams(3));
        assertThat(field(schema, "b").matching().mode())
                .isEqualTo(MatchMode.TEXT.byGrams(2).upTo(9));
        assertThat(field(schema, "c").matching().mode()).isEqualTo(MatchMode.TEXT);
    }

    @Test
    void resolvesScripts() {
        Schema music = compile(MUSIC);

        assertThat(field(music, "title").script().statements().getFirst().steps())
                .containsExactly(
                        new Step.Input("title"),
                        new Step.Output(Aspect.INDEX, "title"),
                        new Step.Output(Aspect.SUMMARY, "title"));
        assertThat(field(music, "embedding").script().statements().getFirst().steps())
                .hasSize(4)
                .contains(
                        new Step.Embed(
                                "minilm",
                                TensorType.parse("tensor<bfloat16>(x[4])"),
                                Optional.empty()),
                        new Step.Output(Aspect.ATTRIBUTE, "embedding"),
                        new Step.Output(Aspect.INDEX, "embedding"));
    }

    @Test
    void putsFunctionsConstantsAndParentsIntoProfiles() {
        Schema music = compile(MUSIC);
        RankProfile hybrid = profile(music, "hybrid");
        RankProfile recent = profile(music, "recent");

        assertThat(ExpressionText.of(hybrid.firstPhase()))
                .isEqualTo("closeness(field,embedding) * query(weight) + bm25(title) + 2 + 2");
        assertThat(get(hybrid.inputs(), "weight").defaultValue())
                .contains(DenseTensor.of(TensorType.SCALAR, new double[] {0.5}));
        assertThat(get(hybrid.inputs(), "q").defaultValue()).isEmpty();
        assertThat(hybrid.settings().properties())
                .containsExactly(Map.entry("bm25(title).k1", "1.5"));
        assertThat(hybrid.shown().match().keySet())
                .containsExactly("vectors", "bm25(title)", "firstPhase");
        assertThat(hybrid.shown().match().get("firstPhase")).isEqualTo(hybrid.firstPhase());
        assertThat(ExpressionText.of(recent.firstPhase()))
                .isEqualTo("freshness(sold) + bm25(title) + 2 + 2");
        assertThat(recent.shown().match().keySet())
                .containsExactly("vectors", "bm25(title)", "firstPhase", "attribute(year)");
        assertThat(recent.settings().properties()).isEqualTo(hybrid.settings().properties());
    }

    @Test
    void fieldsMayHaveOtherNames() {
        Schema schema =
                compile(
                        schema(
                                """
                                field a type string { indexing: index | attribute
                                    alias: b-c
                                    alias a: d.e
                                    index a: alias: f
                                    attribute: alias: g }
                                """,
                                ""));

        for (String name : Set.of("a", "b-c", "d.e", "f", "g")) {
            assertThat(field(schema, name).field().name()).isEqualTo("a");
        }
    }

    @Test
    void aFieldsetAndAPartOfAUriMayHaveOtherNames() {
        Schema schema =
                compile(
                        schema(
                                """
                                field link type uri { indexing: index
                                  alias link.hostname: host
                                  alias everything: all }
                                field title type string { indexing: index }
                                """,
                                "fieldset everything { fields: link, title }"));

        assertThat(schema.unaliased("all")).isEqualTo("everything");
        assertThat(schema.unaliased("host")).isEqualTo("link.hostname");
        assertThat(schema.unaliased("title")).isEqualTo("title");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    alias: title     => alias 'title' is the name of a field
                    alias: b; alias: b => alias 'b' is declared twice
                    """)
    void anAliasThatIsTheNameOfAFieldOrIsGivenTwiceIsRefused(String aliases, String problem) {
        String field =
                "field a type string { indexing: index\n%s }\n"
                        .formatted(aliases.replace("; ", "\n"));

        assertThat(problems(schema(FIELDS + field, ""))).contains(problem);
    }

    @Test
    void anIndexOfAPartIsAWarningInModeIndex() {
        String schema =
                schema(
                        """
                        struct person { field name type string {} field age type int {} }
                        field people type array<person> {
                          indexing: summary
                          struct-field name { indexing: index }
                          struct-field age { indexing: attribute }
                        }
                        """,
                        "");

        assertThat(warnings(schema, Mode.STREAMING)).isEmpty();
        assertThat(warnings(schema, Mode.INDEX))
                .singleElement()
                .asString()
                .contains("index of struct-field 'name': in mode index");
    }

    @Test
    void matchOfAPartIsAWarningWhereNothingAroundItIsSearched() {
        String schema =
                schema(
                        """
                        field b type map<string, string> { indexing { summary }
                            struct-field key { match: word } }
                        """,
                        "");

        assertThat(warnings(schema, Mode.STREAMING))
                .singleElement()
                .asString()
                .contains(
                        "has no effect: neither the struct-field nor the field around it has index or"
                                + " attribute");
    }

    @Test
    void rankLiteralIsAWarning() {
        String schema =
                schema(
                        """
                        field a type string { indexing: index
                          rank: literal }
                        """,
                        "");

        assertThat(warnings(schema, Mode.STREAMING))
                .singleElement()
                .asString()
                .contains("literal has no effect");
    }

    @Test
    void int8CellsOfConstantsKeepTheirLowBits() {
        Schema schema =
                compile(
                        schema(
                                "",
                                """
                                rank-profile p {
                                  constants { k tensor<int8>(x[3]): [255, -129, -1.9] }
                                  function cells() { expression: k }
                                  match-features: cells
                                }
                                """));

        assertThat(profile(schema, "p").shown().match())
                .hasEntrySatisfying("cells", is("tensor<int8>(x[3]):[-1, 127, -1]"));
    }

    @Test
    void constantsAndInputsAreInAlphabeticalOrderOfDimensions() {
        Schema schema =
                compile(
                        schema(
                                "",
                                """
                                rank-profile p {
                                  inputs { query(q) tensor(y[2],x[2]): [[1,2],[3,4]] }
                                  constants { k tensor(y[2],x[2]): [[1,2],[3,4]] }
                                  function cells() { expression: k }
                                  match-features: cells
                                }
                                """));

        String cells = "tensor(x[2],y[2]):[[1.0, 2.0], [3.0, 4.0]]";
        assertThat(get(profile(schema, "p").inputs(), "q").defaultValue().orElseThrow())
                .hasToString(cells);
        assertThat(profile(schema, "p").shown().match()).hasEntrySatisfying("cells", is(cells));
    }

    @Test
    void fieldsSayWhereTheyAreShown() {
        Schema schema =
                compile(
                        schema(
                                """
                                field a type string { indexing: summary
                                    summary b: full
                                    summary c { source: d
                                        to: short, other }
                                    summary-to: short
                                }
                                field d type int { summary e type int { } }
                                """,
                                "document-summary short { summary d {} }"));

        assertThat(get(schema.summaries().byName(), "default").fields())
                .contains(
                        new SummaryField("a", "a"),
                        new SummaryField("b", "a"),
                        new SummaryField("e", "d"));
        assertThat(get(schema.summaries().byName(), "short").fields())
                .containsExactly(
                        new SummaryField("d", "d"),
                        new SummaryField("c", "d"),
                        new SummaryField("a", "a"));
        assertThat(get(schema.summaries().byName(), "other").fields())
                .containsExactly(new SummaryField("c", "d"));
    }

    @Test
    void eachSchemaHasASummaryWithSnippets() {
        String fields =
                """
                field a type string { indexing: index | summary
                    bolding: on }
                field b type array<string> { indexing: index | summary
                    summary: matched-elements-only }
                field c type int { indexing: summary }
                field d type tensor<float>(x[2]) { indexing: summary }
                field e type raw { indexing: summary }
                field f type string { indexing: index | summary
                    summary: tokens }
                """;

        assertThat(get(compile(schema(fields, "")).summaries().byName(), "snippets").fields())
                .containsExactly(
                        new SummaryField("a", List.of("a"), Transform.DYNAMIC),
                        new SummaryField(
                                "b", List.of("b"), Transform.DYNAMIC, new Elements.Matched()),
                        new SummaryField("c", "c"),
                        new SummaryField("f", List.of("f"), Transform.TOKENS));
        assertThat(
                        get(
                                        compile(
                                                        schema(
                                                                fields,
                                                                "document-summary snippets { summary c {} }"))
                                                .summaries()
                                                .byName(),
                                        "snippets")
                                .fields())
                .containsExactly(new SummaryField("c", "c"));
    }

    @Test
    void summariesSayWhatIsMadeOfValues() {
        Schema schema =
                compile(
                        schema(
                                """
                                field a type string { indexing: index | summary
                                    bolding: on }
                                field b type array<string> { indexing: index | summary
                                    summary: matched-elements-only }
                                field c type string { indexing: index
                                    summary d: dynamic }
                                """,
                                """
                                document-summary short {
                                    summary a {}
                                    summary words { source: c
                                        tokens }
                                    summary all { source: a, c }
                                }
                                """));

        assertThat(get(schema.summaries().byName(), "short").fields())
                .containsExactly(
                        new SummaryField("a", List.of("a"), Transform.BOLDED),
                        new SummaryField("words", List.of("c"), Transform.TOKENS),
                        new SummaryField("all", List.of("a", "c"), Transform.NONE));
        assertThat(get(schema.summaries().byName(), "default").fields())
                .contains(
                        new SummaryField("a", List.of("a"), Transform.BOLDED),
                        new SummaryField("b", List.of("b"), Transform.NONE, new Elements.Matched()),
                        new SummaryField("d", List.of("c"), Transform.DYNAMIC));
    }

    @Test
    void fieldsetsMaySayWhatQueriesAreCutInto() {
        Schema schema =
                compile(
                        schema(
                                FIELDS,
                                """
                                fieldset a { fields: title match: word }
                                fieldset b { match { text }
                                    fields: title }
                                fieldset c { fields: title match: prefix }
                                """));

        assertThat(get(schema.names().fieldsets(), "a").parsedAs()).contains(Unit.VALUE);
        assertThat(get(schema.names().fieldsets(), "b").parsedAs()).contains(Unit.TOKEN);
        assertThat(get(schema.names().fieldsets(), "c").parsedAs()).isEmpty();
    }

    @Test
    void readsWordsOfQueriesAsFieldsAndFieldsetsSay() {
        Schema schema =
                compile(
                        schema(
                                """
                                field a type string { indexing { index } match: exact }
                                field b type string {
                                    indexing { attribute }
                                    match { exact exact-terminator: ";;" }
                                }
                                field c type string {
                                    indexing { index }
                                    query-command: phrase-segmenting
                                }
                                field e type string { indexing { index } query-command: "other" }
                                """,
                                """
                                fieldset f { fields: c, e query-command: "exact ##" }
                                fieldset g { fields: c query-command: exact }
                                fieldset h { fields: c, e query-command: "phrase-segmenting" }
                                fieldset i { fields: c match { exact exact-terminator: "%" } }
                                fieldset j { fields: a, b }
                                """));

        assertThat(field(schema, "a").matching().reading("")).isEqualTo(exact("@@"));
        assertThat(field(schema, "b").matching().reading("")).isEqualTo(exact(";;"));
        assertThat(field(schema, "c").matching().reading("")).isEqualTo(CONSECUTIVE);
        assertThat(field(schema, "e").matching().reading("")).isEqualTo(WordReading.NORMAL);
        assertThat(reading(schema, "f")).isEqualTo(exact("##"));
        assertThat(reading(schema, "g")).isEqualTo(exact(""));
        assertThat(reading(schema, "h")).isEqualTo(CONSECUTIVE);
        assertThat(reading(schema, "i")).isEqualTo(exact("%"));
        assertThat(reading(schema, "j")).isEqualTo(WordReading.NORMAL);
    }

    private static final WordReading CONSECUTIVE = new WordReading(true, Optional.empty());

    private static WordReading exact(String terminator) {
        return new WordReading(false, Optional.of(terminator));
    }

    private static WordReading reading(Schema schema, String fieldset) {
        return get(schema.names().fieldsets(), fieldset).reading();
    }

    @Test
    void acceptsHintsOfEveryKind() {
        Schema schema =
                compile(
                        schema(
                                FIELDS,
                                """
                                stemming: best
                                documentid: from-disk
                                raw-as-base64-in-summary: false
                                index title { prefix
                                    stemming: none }
                                rank-profile a {
                                    match-phase { attribute: year order: ascending max-hits: 1000
                                        max-filter-coverage: 0.2 evaluation-point: 0.2
                                        pre-post-filter-tipping-point: 1.0
                                        diversity { attribute: year min-groups: 10
                                            cutoff-factor: 10.0 cutoff-strategy: loose } }
                                    diversity { attribute: year min-groups: 20
                                        cutoff-strategy: strict cutoff-factor: 2.5 }
                                    weakand { stopword-limit: 0.5 adjust-target: 0.1 allow-drop-all: on }
                                    mutate { on-match { seen += 1 }
                                        on-summary { seen = 0 } }
                                    rank title { filter-threshold: 0.1 element-gap: infinity }
                                    rank year: filter
                                    significance { use-model: false }
                                    num-threads-per-search: 4
                                    termwise-limit: 0.5
                                    target-hits-max-adjustment-factor: 20.0
                                    exploration-slack: 5.0
                                    prefetch-tensors: true
                                    ignore-default-rank-features
                                    rank-type title: about
                                    weight title: 200
                                }
                                """));

        assertThat(get(schema.rankProfiles(), "a").settings().properties())
                .containsEntry(RankProfile.MATCHING + "explorationSlack", "5.0");
        assertThat(matchPhase(schema, "a"))
                .isEqualTo(
                        Map.of(
                                "attribute", "year",
                                "ascending", "true",
                                "maxHits", "1000",
                                "maxFilterCoverage", "0.2",
                                "diversity.attribute", "year",
                                "diversity.minGroups", "20",
                                "diversity.cutoff.factor", "2.5",
                                "diversity.cutoff.strategy", "strict"));
    }

    @Test
    void aProfileInheritsAMatchPhaseAsAWhole() {
        Schema schema =
                compile(
                        schema(
                                FIELDS,
                                """
                                rank-profile a {
                                    match-phase { attribute: year order: ascending max-hits: 10
                                        max-filter-coverage: 0.5
                                        diversity { attribute: year min-groups: 3
                                            cutoff-strategy: strict } }
                                }
                                rank-profile diverse inherits a {
                                    diversity { attribute: year min-groups: 2 }
                                }
                                rank-profile same inherits a {}
                                rank-profile other inherits a {
                                    match-phase { attribute: year max-hits: 20 }
                                }
                                rank-profile none {}
                                """));

        assertThat(matchPhase(schema, "same")).isEqualTo(matchPhase(schema, "a"));
        assertThat(matchPhase(schema, "a"))
                .containsEntry("ascending", "true")
                .containsEntry("maxFilterCoverage", "0.5");
        assertThat(matchPhase(schema, "other"))
                .containsEntry("ascending", "false")
                .containsEntry("maxHits", "20")
                .containsEntry("maxFilterCoverage", "0.2");
        assertThat(matchPhase(schema, "other"))
                .containsEntry("diversity.minGroups", "3")
                .containsEntry("diversity.cutoff.strategy", "strict");
        assertThat(matchPhase(schema, "diverse"))
                .containsEntry("maxHits", "10")
                .containsEntry("diversity.attribute", "year")
                .containsEntry("diversity.minGroups", "2")
                .containsEntry("diversity.cutoff.factor", "10")
                .containsEntry("diversity.cutoff.strategy", "loose");
        assertThat(matchPhase(schema, "none")).isEmpty();
    }

    private static Map<String, String> matchPhase(Schema schema, String profile) {
        Map<String, String> properties =
                get(schema.rankProfiles(), profile).settings().properties();
        var scores = new HashMap<String, String>();
        for (String setting : RankProfile.MATCH_PHASE_SETTINGS) {
            String value = properties.get(RankProfile.MATCH_PHASE + setting);
            if (value != null) {
                scores.put(setting, value);
            }
        }
        return scores;
    }

    @Test
    void aDocumentMayStandAlone() {
        Schema schema = compile("document s { field a type string {} }");

        assertThat(schema.documentType().name()).isEqualTo("s");
        assertThat(field(schema, "a").isSearchable()).isFalse();
    }

    @Test
    void partsOfFieldsMayBeSetUp() {
        var findings = new Findings();
        compile(
                schema(
                        """
                        struct person { field name type string {} field age type int {} }
                        field m type map<string, person> {
                            indexing: summary
                            struct-field key { indexing: attribute
                                attribute: fast-search }
                            struct-field value.name { indexing: attribute | index
                                match: cased
                                rank: filter }
                            struct-field value { struct-field age { indexing: attribute } }
                        }
                        field a type array<person> {
                            struct-field age { indexing: attribute }
                        }
                        field w type weightedset<string> {
                            indexing: attribute
                            weightedset { create-if-nonexistent
                                remove-if-zero }
                        }
                        """,
                        ""),
                Set.of(),
                Mode.INDEX,
                findings);

        assertThat(findings.problems()).isEmpty();
        assertThat(findings.notices())
                .extracting(Notice::message)
                .noneMatch(message -> message.contains("not searched yet"));
    }

    @Test
    void hasProfilesThatNobodyWrote() {
        Schema music = compile(MUSIC);

        assertThat(ExpressionText.of(profile(music, "default").firstPhase()))
                .isEqualTo("nativeRank");
        assertThat(profile(music, "plain").firstPhase())
                .isEqualTo(profile(music, "default").firstPhase());
        assertThat(ExpressionText.of(profile(music, "unranked").firstPhase())).isEqualTo("0");
        assertThat(ExpressionText.of(profile(music, "none").firstPhase())).isEqualTo("0");
    }

    @Test
    void hasADefaultSummaryThatNobodyWrote() {
        Schema music = compile(MUSIC);

        assertThat(get(music.summaries().byName(), "default").fields())
                .as("fields with summary, and what other summaries show of no attribute")
                .containsExactly(
                        new SummaryField("title", "title"),
                        new SummaryField("artist", "artist"),
                        new SummaryField("year", "year"),
                        new SummaryField("note", "note"));
        assertThat(get(music.summaries().byName(), "long").fields())
                .containsExactly(
                        new SummaryField("title", "title"),
                        new SummaryField("by", "artist"),
                        new SummaryField("note", "note"),
                        new SummaryField("documentid", "documentid"));
    }

    @Test
    void aRedefinedDefaultProfileStands() {
        Schema schema =
                compile(
                        schema(
                                "field a type int { indexing: attribute }",
                                """
                                rank-profile default inherits default {
                                    first-phase { expression: attribute(a) } }
                                rank-profile b inherits default {}
                                """));

        assertThat(ExpressionText.of(profile(schema, "b").firstPhase())).isEqualTo("attribute(a)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    field 1a type int {}            => 7: '1a' cannot be a field's name: expected a letter, then letters, digits and underscores
                    field Host type int {}          => 7: 'Host' is a reserved word and cannot be a field's name
                    field a type int {} field A type int {} => 27: field 'A' is declared twice; the first is at line 3 (letter case does not count: 'a')
                    field a type integer {}         => 14: unknown type 'integer'
                    field a type strng {}           => 14: unknown type 'strng'; did you mean 'string'?
                    field a type array<string,int> {} => 14: array takes one type, as in array<string>
                    field a type string<int> {}     => 14: type string takes no types between < and >
                    field a type array<tensor(x[2])> {} => 20: a collection holds no tensors; use a tensor with a mapped dimension instead
                    field a type tensor(x[20000000]) {} => 14: tensor(x[20000000]) has 20,000,000 cells, more than the limit of 16,777,216
                    field a type string { indexing: summary attribute: paged } => 50: expected '|', '||', '.' or the end of the line but found ':'
                    field a type string { indexing: summary match: word } => 46: expected '|', '||', '.' or the end of the line but found ':'
                    field a type string { match: word } => 30: word has no meaning for a field whose indexing has neither index nor attribute
                    field a type string { attribute: paged } => 34: paged is set for an attribute, but the field's indexing has no attribute
                    field a type string { alias: b alias: b } => 39: alias 'b' is declared twice; the first is at line 3
                    field b type int {} field a type string { alias: b } => 50: alias 'b' is the name of a field
                    field a type string { weightedset: remove-if-zero } => 23: weightedset is for weighted sets, not for type string
                    field a type map<string,int> { struct-field kye { indexing { attribute } } } => 45: type map<string, int> has no part 'kye'; did you mean 'key'?
                    field a type map<string,int> { struct-field value.x { indexing { attribute } } } => 45: type int has no part 'x'
                    field a type string { struct-field x {} } => 36: type string has no part 'x'
                    field a type map<string,int> { struct-field key { } struct-field key { } } => 66: struct-field 'key' is declared twice; the first is at line 3
                    field a type map<string,int> { struct-field key { indexing { lowercase | index } } } => 62: the script of a struct-field may only contain attribute, index or summary
                    field a type map<string,int> { struct-field key { attribute: fast-search } } => 62: fast-search is set for an attribute, but the struct-field's indexing has no attribute
                    field a type map<string,array<int>> { struct-field value { indexing { attribute } } } => 52: a struct-field of type array<int> cannot be an attribute
                    field a type string { rank: filter } => 23: rank has no meaning for a field whose indexing has neither index nor attribute
                    field a type string { indexing { index } match { gram-size: 3 } } => 50: gram-size needs match: gram
                    field a type string { indexing { attribute } attribute: fast-search dictionary: cased } => 81: a cased dictionary needs match: cased
                    field a type string { indexing { attribute } attribute: mutable } => 57: mutable is for fields outside the document
                    field a type int { indexing { attribute } attribute: fast-rank } => 54: fast-rank is for tensors with a mapped dimension
                    field a type int { indexing { attribute } attribute: distance-metric: angular } => 71: distance-metric is for tensors alone, not for type int
                    field a type tensor(x[2]) { indexing { attribute } attribute { distance-metric: angle } } => 81: unknown distance metric 'angle'; there are angular, dotproduct, euclidean, geodegrees, hamming, prenormalized-angular
                    field a type tensor(x[2]) { indexing { index } } => 7: an index of vectors needs attribute in the field's indexing, too
                    field a type tensor(x[2],y[2]) { indexing { attribute | index } } => 7: an index of vectors needs exactly one indexed dimension, not tensor(x[2],y[2])
                    field a type string { indexing { index } index: hnsw } => 49: hnsw is for tensors alone
                    field a type string { indexing { index b } } => 40: the script of field 'a' writes field 'b', but may write its own alone
                    field a type string { indexing { input c | index } } => 40: input reads 'c', which is no field of the document
                    field a type string { indexing { input a . "x" | index } } => 50: the script of document field 'a' changes its value; use a field outside the document for the computed value
                    field a type string { indexing { embed | index } } => 34: embed fills a tensor with one dimension, with a mapped and an indexed one, or with two mapped ones, such as tensor<float>(x[384]), but field 'a' is of type string
                    """)
    void reportsErrorsOfFields(String field, String message) {
        assertThat(problems("schema s {\ndocument s {\n" + field + "\n} }"))
                .startsWith("schemas/s.sd:3:" + message + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    field e type string { indexing { index } }   => 34: field 'e' is outside the document, so its script has to start with input and the name of a document field
                    field e type int { indexing { input title | attribute } } => 45: the value is of type string, but field 'e' is of type int
                    field e type string { indexing { input titel | index } } => 40: input reads 'titel', which is no field of the document; did you mean 'title'?
                    field e type string { indexing { input title || input year | index } } => 49: the alternatives of '||' have one type: this is int, the first is string
                    field e type tensor(x[2],y[2]) { indexing { input title | embed | attribute } } => 59: embed fills a tensor with one dimension, with a mapped and an indexed one, or with two mapped ones, such as tensor<float>(x[384]), but field 'e' is of type tensor(x[2],y[2])
                    field e type tensor(x[2]) { indexing { input lines | embed | attribute } } => 54: embed of an array<string> fills a tensor with a mapped and an indexed dimension, with two mapped ones, or with two and an indexed one, such as tensor<float>(chunk{},x[384]), but field 'e' is of type tensor(x[2])
                    field e type tensor(x[2]) { indexing { input year | embed | attribute } } => 53: embed takes a string or an array<string>, but its input is of type int
                    field e type tensor(x[2]) { indexing { input title | embed minilmm | attribute } } => 60: there is no embedder 'minilmm', only minilm; did you mean 'minilm'?
                    field e type string { indexing { (index) . "y" } } => 34: field 'e' is outside the document, so its script has to start with input and the name of a document field
                    field e type string { indexing { clear_state | index } } => 48: this step has no input; expected input before it
                    fieldset f { fields: titel }                 => 22: fieldset 'f' names the field 'titel', which does not exist; did you mean 'title'?
                    fieldset f { fields: title, vector }         => 10: fieldset 'f' mixes tensors and other fields
                    fieldset f { }                               => 10: fieldset 'f' has no fields
                    fieldset f { fields: title } fieldset f { fields: title } => 39: fieldset 'f' is declared twice; the first is at line 10
                    document-summary a { summary titel {} }      => 30: document-summary 'a' shows the field 'titel', which does not exist; did you mean 'title'?
                    document-summary a { summary b { source: title, nope } } => 49: document-summary 'a' shows the field 'nope', which does not exist
                    document-summary a { summary b { source: year bolding: on } } => 47: bolding is for texts and arrays of texts, and field 'year' is of type int
                    document-summary a { summary year { dynamic } }  => 37: dynamic is for texts and arrays of texts, and field 'year' is of type int
                    document-summary a { summary year { tokens } }   => 37: tokens is for string, array<string> and weightedset<string>, and field 'year' is of type int
                    document-summary a { summary title { matched-elements-only } } => 38: matched-elements-only is for arrays, weighted sets and maps, and field 'title' is of type string
                    document-summary a { summary title { bolding: on tokens } } => 50: tokens does not go with bolding
                    document-summary a { summary lines { matched-elements-only select-elements-by: f } } => 60: select-elements-by does not go with matched-elements-only
                    document-summary a { summary title { dynamic } } document-summary b { summary title { bolding: on } } => 79: 'title' is shown differently elsewhere, at line 10: all summaries that have a name must show the same source in the same way
                    document-summary a { summary t { source: title } } document-summary b { summary t { source: lines } } => 81: 't' is shown differently elsewhere, at line 10: all summaries that have a name must show the same source in the same way
                    document-summary a { summary rankfeatures { source: title } } => 30: 'rankfeatures' is a reserved word in summaries
                    document-summary a {} document-summary a {}  => 40: document-summary 'a' is declared twice; the first is at line 10
                    document-summary a inherits defualt {}       => 29: document-summary 'a' inherits 'defualt', which does not exist; did you mean 'default'?
                    document-summary a inherits a {}             => 18: document-summary 'a' inherits itself: a inherits a
                    rank-profile a {} rank-profile a {}          => 32: rank-profile 'a' is declared twice; the first is at line 10
                    rank-profile a inherits b {} rank-profile b inherits a {} => 14: rank-profile 'a' inherits itself: a inherits b inherits a
                    rank-profile a inherits unrankd {}           => 25: rank-profile 'a' inherits 'unrankd', which does not exist; did you mean 'unranked'?
                    rank-profile a { first-phase { expression: 1 + } } => 47: expected a value but found the end
                    rank-profile a { first-phase { expression: bm25(titel) } } => 44: 'bm25(titel)' names the field 'titel', which does not exist; did you mean 'title'?
                    rank-profile a { first-phase { expression: bm25(year) } } => 44: 'bm25(year)' cannot be: field 'year' is no text with index in its indexing
                    rank-profile a { first-phase { expression: attribute(title) } } => 44: 'attribute(title)' cannot be: field 'title' has no attribute in its indexing
                    rank-profile a { first-phase { expression: closeness(field, year) } } => 44: 'closeness(field,year)' cannot be: field 'year' is no vector and no position with attribute in its indexing
                    rank-profile a { first-phase { expression: freshness(title) } } => 44: 'freshness(title)' cannot be: field 'title' is no number with attribute in its indexing
                    rank-profile a { first-phase { expression: attribute(vector) } } => 44: 'attribute(vector)' is a tensor(x[2]), but a number is expected
                    rank-profile a { first-phase { expression: bm26(title) } } => 44: there is no feature or function 'bm26(title)'; did you mean 'bm25'?
                    rank-profile a { first-phase { expression: 1 + onnx(title) } } => 48: there is no onnx-model 'title'
                    rank-profile a { strict: true } rank-profile b inherits a { first-phase { expression: query(a) } } => 87: 'query(a)' names the input 'a', which does not exist
                    rank-profile a { strict: true first-phase { expression: query(a) } } => 57: 'query(a)' names the input 'a', which does not exist
                    rank-profile a { second-phase { rerank-count: 5 expression: bm25(titel) } } => 61: 'bm25(titel)' names the field 'titel', which does not exist; did you mean 'title'?
                    rank-profile a { global-phase { expression: 1 + } } => 48: expected a value but found the end
                    rank-profile a { first-phase { rank-score-drop-limit: 1.0 expression: 1 + secondPhase } } => 75: 'secondPhase' is not built yet
                    rank-profile a { summary-features: subqueries(year).lsb } => 36: 'subqueries' is not built yet
                    rank-profile a { first-phase { expression: flowCompleteness(title) } } => 44: 'flowCompleteness' is not built yet
                    constant c { file: constants/c.json type: tensor(x[2]) } => 20: there is no file 'constants/c.json' in the package; did you mean 'constants/k.json'?
                    constant c { file: constants/k.json type: tensor(x[2]) } rank-profile a { first-phase { expression: 1 + constant(c) } } => 105: '1 + tensor(x[2]):[0.0, 0.0]' is a tensor(x[2]), but a number is expected
                    rank-profile a { first-phase { expression: sum(attribute(vector), y) } } => 48: 'reduce(attribute(vector), sum, y)' cannot be: tensor(x[2]) has no dimension 'y'
                    rank-profile a { first-phase { expression: sum(attribute(vector) + tensor(x[3]):[1,2,3]) } } => 48: 'attribute(vector) + tensor(x[3]):[1.0, 2.0, 3.0]' cannot be: dimension 'x' differs between tensor(x[2]) and tensor(x[3])
                    rank-profile a { first-phase { expression: sum(map(attribute(vector), f(v)(v * attribute(year)))) } } => 80: 'attribute(year)' is not visible here: a lambda function can only use its parameters
                    rank-profile a { first-phase { expression: 1 + sum(tensor(x[2]):[1,2],y) } } => 44: 'reduce(tensor(x[2]):[1.0, 2.0], sum, y)' cannot be: tensor(x[2]) has no dimension 'y'
                    rank-profile a { global-phase { expression: tensor(x[2]):[1,2] } } => 45: this is a tensor(x[2]), but a number is expected
                    rank-profile a { first-phase { expression: 1 + rankingExpression("1+") } } => 48: expected a value but found the end
                    rank-profile a { first-phase { expression: 1 + rankingExpression("bm25(titel)") } } => 48: 'bm25(titel)' names the field 'titel', which does not exist; did you mean 'title'?
                    rank-profile a { first-phase { expression: if(1 > query(a), attribute(vector), 2) } } => 51: both branches of an 'if' have one type, not tensor(x[2]) and tensor()
                    onnx-model m { file: models/m.onnx } => 22: there is no file 'models/m.onnx' in the package
                    import field a.b as title {} => 21: field 'title' is declared twice; the first is at line 3
                    import field a.b as c {} rank-profile a { first-phase { expression: attribute(c) } } => 14: there is no reference 'a' to import a field through
                    rank-profile a { match-features: 1+2 }       => 34: '1+2' is no feature; write a function for it and name that
                    rank-profile a { match-features: bm25( }     => 40: expected a value but found the end
                    rank-profile a { match-features inherits b { } } => 42: match-features inherits 'b', from which the profile does not inherit
                    rank-profile a { function f() { expression: f } } => 45: function 'f' calls itself
                    rank-profile a { function f(x, x) { expression: x } } => 32: parameter 'x' is declared twice
                    rank-profile a { constants { k: 1 } function k() { expression: 1 } } => 46: 'k' is a constant and a function
                    rank-profile a { constants { k: [1] } }      => 33: expected a value of type tensor(): at character 1 of '[1]': expected a number but found '[1]'
                    rank-profile a { inputs { query(q): x } }    => 37: expected a value of type tensor(): at character 1 of 'x': expected a number but found 'x'
                    rank-profile a { inputs { query(q) tensor(x[2]): [1] } } => 50: expected a value of type tensor(x[2]): at character 1 of '[1]': Expected 2 values, but got 1
                    rank-profile a { inputs { query(q) tensor(x{}): {a:b} } } => 49: expected a value of type tensor(x{}): at character 4 of '{a:b}': expected numbers alone in a value of tensor(x{})
                    rank-profile a { inputs { query(q) tensor(x[2]): tensor(x[3]):[1,2,3] } } => 50: expected a value of type tensor(x[2]): a tensor of type tensor(x[2]) is expected, not of tensor(x[3])
                    rank-profile a { inputs { query(q) tensor<float>(x[2]): tensor(x[2]):[1,2] } } => 57: expected a value of type tensor<float>(x[2]): a tensor of type tensor<float>(x[2]) is expected, not of tensor(x[2])
                    rank-profile a { inputs { query(q) tensor(x{}): tensor(y{}):{a:1} } } => 49: expected a value of type tensor(x{}): expected type tensor(x{}) but found tensor(y{})
                    rank-profile a { inputs { query(q): tensor(x[2]):[1,2] } } => 37: expected a value of type tensor(): a tensor of type tensor() is expected, not of tensor(x[2])
                    rank-profile a { inputs { query(q) tensor(x[2]): tensor(x[2]) } } => 63: expected ':' but found '}'
                    rank-profile a { constants { k tensor(x[2]): tensor(x[3]):[1,2,3] } } => 46: expected a value of type tensor(x[2]): a tensor of type tensor(x[2]) is expected, not of tensor(x[3])
                    rank-profile a { function max(a, b, c) { expression: a } first-phase { expression: 1 + max(1, 2, 3, 4) } } => 88: 'max' takes 2 arguments, but 4 are given
                    rank-profile a { function max(a, b, c) { expression: a } } rank-profile b { first-phase { expression: 1 + max(1, 2, 3) } } => 107: 'max' takes 2 arguments, but 3 are given
                    rank-profile a { inputs { query(q) tensor(x[2147483647]) } first-phase { expression: sum(query(q)) } } => 36: tensor(x[2147483647]) has 2,147,483,647 cells, more than the limit of 16,777,216
                    rank-profile a { constants { z tensor(x[2147483647]): {{x:1}:1} } } => 32: tensor(x[2147483647]) has 2,147,483,647 cells, more than the limit of 16,777,216
                    rank-profile a { constants { z tensor(k{},x[2147483647]): {} } } => 32: tensor(k{},x[2147483647]) has 2,147,483,647 cells, more than the limit of 16,777,216
                    constant c { file: constants/k.json type: tensor(x[2147483647]) } => 43: tensor(x[2147483647]) has 2,147,483,647 cells, more than the limit of 16,777,216
                    rank-profile a { inputs { query(q) double query(q) } } => 49: input 'q' is declared twice
                    """)
    void reportsErrorsOfSchemas(String item, String message) {
        assertThat(problems(schema(FIELDS, item))).startsWith("schemas/s.sd:10:" + message + "\n");
    }

    private static final String FIELDS =
            """
            field title type string { indexing: index }
            field year type int { attribute: fast-search indexing: attribute }
            field vector type tensor(x[2]) { indexing: attribute }
            field lines type array<string> { indexing: index }
            """;

    @Test
    void acceptsTypesBeforeDefaults() {
        RankProfile profile =
                profile(
                        compile(
                                schema(
                                        "",
                                        """
                                        rank-profile p {
                                            inputs {
                                                query(a) tensor(x[2]): tensor(x[2]):[1,2]
                                                query(b) tensor<int8>(x[2]): tensor<int8>( x[2] ) : 01FF
                                                query(c) tensor(x[1],y{}): tensor(y{},x[1]):{a:[3]}
                                                query(d): tensor():{4}
                                                query(e) double: {}
                                                query(f): 1e400
                                                query(g) tensor(x{}): {a:1e400}
                                            }
                                            constants { k tensor(x[1]): tensor(x[1]):[7] }
                                            first-phase { expression: sum(k) }
                                        }
                                        """)),
                        "p");

        var defaults = new TreeMap<String, String>();
        profile.inputs()
                .forEach((name, input) ->
                        defaults.put(name, input.defaultValue().orElseThrow().toString()));
        assertThat(defaults)
                .containsExactly(
                        entry("a", "tensor(x[2]):[1.0, 2.0]"),
                        entry("b", "tensor<int8>(x[2]):[1, -1]"),
                        entry("c", "tensor(x[1],y{}):{a:[3.0]}"),
                        entry("d", "tensor():{4.0}"),
                        entry("e", "tensor():{0.0}"),
                        entry("f", "tensor():{Infinity}"),
                        entry("g", "tensor(x{}):{a:Infinity}"));
        assertThat(ExpressionText.of(profile.firstPhase()))
                .isEqualTo("reduce(tensor(x[1]):[7.0], sum)");
    }

    @Test
    void callsFunctionsWhereThoseOfTheLanguageCannotBe() {
        Schema compiled =
                compile(
                        schema(
                                "",
                                """
                                rank-profile p {
                                    function softmax(a) { expression: a * 2 }
                                    function max(a, b, c) { expression: max(a, max(b, c)) }
                                    first-phase { expression: softmax(max(1, 2, nativeRank)) }
                                    match-features { twice }
                                    function twice() { expression: top(3) }
                                    function top(a) { expression: a + 1 }
                                }
                                rank-profile q inherits p { function top(a) { expression: softmax(a) } }
                                """));

        assertThat(ExpressionText.of(profile(compiled, "p").firstPhase()))
                .isEqualTo("max(1, max(2, nativeRank)) * 2");
        assertThat(profile(compiled, "p").shown().match()).hasEntrySatisfying("twice", is("3 + 1"));
        assertThat(profile(compiled, "q").shown().match()).hasEntrySatisfying("twice", is("3 * 2"));
    }

    private static Consumer<Expression> is(String text) {
        return expression -> assertThat(ExpressionText.of(expression)).isEqualTo(text);
    }

    @Test
    void keysOfWeightedSetsAreTextsWhereTheyHaveAnIndex() {
        String field = "field w type weightedset<string> { indexing: %s }";
        String profile = "rank-profile a { first-phase { expression: bm25(w) + fieldMatch(w) } }";

        assertThat(profile(compile(schema(field.formatted("index"), profile)), "a")).isNotNull();
        assertThat(problems(schema(field.formatted("attribute"), profile)))
                .contains("field 'w' is no text with index in its indexing");
    }

    @Test
    void reportsAnErrorOfAFunctionWithoutFeaturesOnce() {
        String problems =
                problems(
                        schema(
                                "",
                                """
                                rank-profile a { function f() { expression: sum(tensor(x[1]):[1], y) }
                                    first-phase { expression: 1 + f } match-features: f }
                                rank-profile b inherits a {}
                                """));

        assertThat(problems)
                .isEqualTo(
                        """
                        schemas/s.sd:6:45: 'reduce(tensor(x[1]):[1.0], sum, y)' cannot be: tensor(x[1]) has no dimension 'y'
                          rank-profile a { function f() { expression: sum(tensor(x[1]):[1], y) }
                                                                      ^\
                        """);
    }

    @Test
    void refusesWhatTwoParentsHaveDifferently() {
        assertThat(
                        problems(
                                schema(
                                        "",
                                        """
                                        rank-profile a { function f() { expression: 1 }
                                            first-phase { expression: 1 } }
                                        rank-profile b { function f() { expression: 1 }
                                            first-phase { expression: 2 } }
                                        rank-profile c inherits a, b {}
                                        rank-profile d inherits a, b { function f() { expression: 3 }
                                            first-phase { expression: f } }
                                        """)))
                .isEqualTo(
                        """
                        schemas/s.sd:10:14: rank-profile 'c' inherits function 'f' from both 'a' and 'b'; \
                        declare it in 'c' itself
                          rank-profile c inherits a, b {}
                                       ^
                        schemas/s.sd:10:14: rank-profile 'c' inherits first-phase from both 'a' and 'b'; \
                        declare it in 'c' itself
                          rank-profile c inherits a, b {}
                                       ^\
                        """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    strict: true                           => strict: false                           => strict
                    significance { use-model: true }       => significance { use-model: false }       => significance use-model
                    rank-type title: about                 => rank-type title: identity               => rank-type of title
                    weight title: 10                       => weight title: 20                        => weight of title
                    """)
    void refusesSettingsThatTwoParentsHaveDifferently(String first, String second, String setting) {
        String parents =
                "rank-profile a { %s } rank-profile b { %s } rank-profile e inherits a {}\n"
                        .formatted(first, second);

        String both = schema(FIELDS, parents + "rank-profile c inherits a, b {}");
        String itself = schema(FIELDS, parents + "rank-profile c inherits a, b { " + first + " }");
        String alike = schema(FIELDS, parents + "rank-profile c inherits a, e {}");
        String replaced =
                schema(
                        FIELDS,
                        parents
                                + "rank-profile c inherits a { "
                                + second
                                + " first-phase { expression: query(x) } }");

        assertThat(problems(both))
                .startsWith(
                        "schemas/s.sd:11:14: rank-profile 'c' inherits setting '%s' from both 'a' and 'b'; declare it in 'c' itself\n"
                                .formatted(setting));
        assertThat(compile(itself).rankProfiles()).containsKey("c");
        assertThat(compile(alike).rankProfiles()).containsKey("c");
        assertThat(compile(replaced).rankProfiles()).containsKey("c");
    }

    @Test
    void partsWithMatchAreSearchedAsTheFieldAroundThem() {
        String schema =
                schema(
                        """
                        struct person { field name type string {} field city type string {} }
                        field a type array<person> { indexing { index | summary }
                          struct-field name { match: word }
                          struct-field city {} }
                        field b type map<string, string> { indexing { summary }
                          struct-field key { match: word } }
                        field c type map<string, string> { indexing { index }
                          struct-field key { indexing { summary } match: word } }
                        """,
                        "");

        Schema compiled = compile(schema);

        assertThat(field(compiled, "a").matching().parts())
                .containsExactly(
                        Map.entry(
                                "name",
                                new MatchRules.PartRules(
                                        MatchMode.WORD,
                                        Set.of(Aspect.INDEX, Aspect.SUMMARY),
                                        FieldRanking.NONE)));
        assertThat(field(compiled, "b").matching().parts()).isEmpty();
        assertThat(field(compiled, "c").matching().parts()).isEmpty();
    }

    @Test
    void listsOfFeaturesAddUp() {
        String schema =
                schema(
                        FIELDS,
                        """
                        rank-profile a {
                          function f(x) { expression: 2 * x }
                          match-features: bm25 (title) f(3)
                          summary-features { attribute(year) }
                          match-features { bm25(title)
                            fieldMatch   (title).proximity }
                          summary-features: f(attribute(year)) now
                          rank-features: now
                          rank-features: f(4)
                          ignore-default-rank-features
                        }
                        rank-profile b inherits a { match-features: now }
                        rank-profile c inherits a {
                          match-features: now
                          match-features inherits a: queryTermCount
                        }
                        """);

        ShownFeatures shown = profile(compile(schema), "a").shown();
        assertThat(shown.match().keySet())
                .containsExactly("bm25(title)", "f(3)", "fieldMatch(title).proximity");
        assertThat(ExpressionText.of(get(shown.match(), "f(3)"))).isEqualTo("2 * 3");
        assertThat(shown.summary().keySet())
                .containsExactly("attribute(year)", "f(attribute(year))", "now");
        assertThat(shown.listed().keySet()).containsExactly("now", "f(4)");
        assertThat(profile(compile(schema), "b").shown().match().keySet()).containsExactly("now");
        assertThat(profile(compile(schema), "c").shown().match().keySet())
                .containsExactlyInAnyOrder(
                        "bm25(title)",
                        "f(3)",
                        "fieldMatch(title).proximity",
                        "now",
                        "queryTermCount");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    schema t { document t {} } => 1:8: schema 't' must be in a file called t.sd
                    schema s { }               => 1:8: schema 's' has no document; expected exactly one document block
                    schema s { document s {} document s {} } => 1:35: schema 's' has a second document; expected exactly one document block
                    schema s { document t {} } => 1:21: the document of schema 's' must be called 's', too: document types are identified by the names of their schemas
                    """)
    void reportsErrorsOfNames(String schema, String message) {
        assertThat(problems(schema)).startsWith("schemas/s.sd:" + message + "\n");
    }

    @Test
    void reportsABrokenTypeOnce() {
        String schema =
                schema(
                        "field a type strng { indexing: index }",
                        """
                        field b type string { indexing: input a | summary }
                        fieldset default { fields: a }
                        document-summary d { summary a {} }
                        rank-profile p { first-phase { expression: bm25(a) } }
                        """);

        assertThat(problems(schema).lines().filter(line -> line.startsWith("schemas/")))
                .containsExactly("schemas/s.sd:3:14: unknown type 'strng'; did you mean 'string'?");
    }

    @Test
    void needsAnEmbedderToEmbed() {
        String schema =
                schema(
                        "field a type string {}",
                        "field e type tensor(x[2]) { indexing: input a | embed | attribute }");

        assertThat(problems(schema, Set.of()))
                .startsWith(
                        "schemas/s.sd:6:49: there is no embedder; add a component of type"
                                + " hugging-face-embedder to a container in services.xml\n");
        assertThat(problems(schema, Set.of("one", "two")))
                .startsWith(
                        "schemas/s.sd:6:49: there are several embedders; write embed and one of"
                                + " one, two\n");
    }

    @Test
    void warnsOfWhatItIgnores() {
        String schema =
                schema(
                        """
                        field v type tensor(x[2]) { indexing: attribute | index
                            index: hnsw }
                        field t type string { indexing: index
                            match: gram
                            normalizing: none }
                        field w type string { indexing: attribute }
                        field n type string {}
                        """,
                        """
                        fieldset f { fields: t, w, n }
                        rank-profile p { mutate { on-match { a += 1 } } function max(a, b) { expression: a } function nativeRank() { expression: 7 } function sum() { expression: 7 } function onnx() { expression: 7 } }
                        """);

        assertThat(warnings(schema, Mode.STREAMING))
                .containsExactly(
                        "schemas/s.sd:4:12: hnsw is ignored: the search is exact",
                        "schemas/s.sd:14:18: mutate is ignored: ranking changes no document",
                        "schemas/s.sd:13:10: fieldset 'f' has fields that cannot be searched: n;"
                                + " give them index or attribute",
                        "schemas/s.sd:13:10: the fields of fieldset 'f' match differently: t, w; the"
                                + " words of a query are matched by the rule of each",
                        "schemas/s.sd:13:10: the fields of fieldset 'f' are normalized differently: t"
                                + " none, w accent; here words of queries are compared by how each"
                                + " field matches",
                        "schemas/s.sd:14:58: function 'max' has precedence over the function of the language"
                                + " of that name",
                        "schemas/s.sd:14:95: function 'nativeRank' has precedence over the rank feature of"
                                + " that name",
                        "schemas/s.sd:14:135: function 'sum' is called only if the function of the language does not accept the call of that name",
                        "schemas/s.sd:14:168: function 'onnx' has precedence over the rank feature of that"
                                + " name");
        assertThat(warnings(schema, Mode.INDEX)).noneMatch(line -> line.contains("hnsw"));
    }

    @Test
    void warnsOfMetricsThatFitNoQuery() {
        String metric = " { indexing: attribute\n attribute { distance-metric: geodegrees } }\n";
        String schema =
                schema(
                        "field a type tensor<float>(x[2])"
                                + metric
                                + "field b type tensor<float>(k{},x[2])"
                                + metric
                                + "field c type tensor<float>(k{},x[3])"
                                + metric,
                        "");

        assertThat(warnings(schema, Mode.STREAMING))
                .containsExactly(
                        "schemas/s.sd:8:31: geodegrees compares latitude and longitude: queries for the"
                                + " nearest of field 'c' of type tensor<float>(k{},x[3]), which has"
                                + " other cells, are refused");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    tensorFromLabels(attribute(af), d)               => field 'af' is of type array<float>, and labels are texts and whole numbers
                    tensorFromLabels(attribute(f), d)                => field 'f' is of type float, and labels are texts and whole numbers
                    tensorFromLabels(attribute(ws), d)               => field 'ws' is of type weightedset<string>, and labels are texts and whole numbers
                    tensorFromLabelsWithOffset(attribute(af), d, e)  => field 'af' is of type array<float>, and labels are texts and whole numbers
                    tensorFromWeightedSet(attribute(as), d)          => field 'as' is of type array<string> and no weighted set
                    tensorFromWeightedSet(attribute(si), d)          => field 'si' is of type int and no weighted set
                    tensorFromLabels(attribute(as), d)               => ``
                    tensorFromLabels(attribute(si), d)               => ``
                    tensorFromWeightedSet(attribute(ws), d)          => ``
                    """)
    void warnsOfTensorsWithoutCells(String feature, String reason) {
        String schema =
                schema(
                        """
                        field af type array<float> { indexing: attribute }
                        field as type array<string> { indexing: attribute }
                        field f type float { indexing: attribute }
                        field si type int { indexing: attribute }
                        field ws type weightedset<string> { indexing: attribute }
                        """,
                        "rank-profile p { match-features { t } function t() { expression: %s } first-phase { expression: sum(t) } }"
                                .formatted(feature));

        Expression shown = get(profile(compile(schema), "p").shown().match(), "t");

        assertThat(shown instanceof TensorExpression.Value).isEqualTo(!reason.isEmpty());
        assertThat(warnings(schema, Mode.STREAMING))
                .isEqualTo(
                        reason.isEmpty()
                                ? List.of()
                                : List.of(
                                        "schemas/s.sd:11:66: '%s' has no cell: %s"
                                                .formatted(feature.replace(", ", ","), reason)));
    }

    /** Cuts, doubles and mixes a valid schema; each result is parsed or rejected with a message. */
    @Test
    void survivesAnyText() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        for (int i = 0; i < 1_000; i++) {
            var text = new StringBuilder(MUSIC);
            for (int change = 1 + random.nextInt(4); change > 0; change--) {
                int at = random.nextInt(text.length());
                int end = Math.min(text.length(), at + 1 + random.nextInt(12));
                String part = text.substring(at, end);
                switch (random.nextInt(4)) {
                    case 0 -> text.delete(at, end);
                    case 1 -> text.insert(random.nextInt(text.length()), part);
                    case 2 ->
                            text.insert(
                                    at, "{}()<>[]:;|.,\"'#\\\n-$\u00e9".charAt(random.nextInt(20)));
                    default -> text.setLength(Math.max(1, text.length() - random.nextInt(40)));
                }
            }
            var findings = new Findings();

            assertThatCode(() ->
                            compile(text.toString(), Set.of("minilm"), Mode.STREAMING, findings))
                    .as("seed %d, round %d:%n%s", seed, i, text)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void aFileOfErrorsAloneEnds() {
        var findings = new Findings();

        compile("schema s {\n" + "? ".repeat(500_000), Set.of(), Mode.INDEX, findings);

        assertThat(findings.problems()).hasSizeLessThanOrEqualTo(51);
    }

    private static Schema compile(String text) {
        var findings = new Findings();
        Schema schema = compile(text, Set.of("minilm"), Mode.STREAMING, findings).orElseThrow();
        assertThat(findings.problems()).isEmpty();
        return schema;
    }

    private static String problems(String text) {
        return problems(text, Set.of("minilm"));
    }

    private static String problems(String text, Set<String> embedders) {
        var findings = new Findings();
        compile(text, embedders, Mode.STREAMING, findings);
        return String.join("\n", findings.problems());
    }

    private static List<String> warnings(String text, Mode mode) {
        var findings = new Findings();
        compile(text, Set.of(), mode, findings);
        assertThat(findings.problems()).isEmpty();
        return findings.notices().stream()
                .filter(notice -> notice.level() == Notice.Level.WARNING)
                .map(Notice::message)
                .collect(Collectors.toList());
    }

    private static Optional<Schema> compile(
            String text, Set<String> embedders, Mode mode, Findings findings) {
        String name = text.contains("schema music") ? "music" : "s";
        var parsed = SchemaParser.parse(new SourceText("schemas/" + name + ".sd", text));
        parsed.errors().forEach(error -> findings.problem(String.valueOf(error.getMessage())));
        return parsed.schema()
                .filter(_ -> parsed.errors().isEmpty())
                .flatMap(schema ->
                        SchemaCompiler.compile(
                                schema,
                                new Components(
                                        Optional.of(embedders),
                                        Set.of(mode),
                                        Map.of(),
                                        Map.of(),
                                        Set.of("s", "other"),
                                        Set.of("constants/k.json")),
                                findings));
    }

    private static String schema(String inDocument, String outside) {
        return "schema s {\ndocument s {\n" + inDocument + "\n}\n\n" + outside + "\n}";
    }

    private static SchemaField field(Schema schema, String name) {
        return schema.field(name).orElseThrow();
    }

    private static RankProfile profile(Schema schema, String name) {
        return get(schema.rankProfiles(), name);
    }

    private static <T> T get(Map<String, T> map, String name) {
        return Optional.ofNullable(map.get(name)).orElseThrow();
    }
}
