package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary.Elements;
import org.crabro.config.schema.DocumentSummary.Transform;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.config.schema.MatchMode.Unit;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SnippetSettings;
import org.crabro.config.schema.SnippetSize;
import org.crabro.config.schema.StemMarking;
import org.crabro.config.schema.Stemming;
import org.crabro.config.schema.SummaryRules;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.text.TextMarks;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.query.GramMatch;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.Marking;
import org.crabro.protocol.search.QueryInput;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.crabro.text.Folding;
import org.crabro.text.Tokenizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SummaryTransformsTest {
    private static final SchemaField TITLE = field("title", Primitive.STRING, MatchMode.TEXT);
    private static final SchemaField BODY = field("body", Primitive.STRING, MatchMode.TEXT);
    private static final SchemaField LINES =
            field("lines", new FieldType.ArrayOf(Primitive.STRING), MatchMode.TEXT);
    private static final SchemaField NAME = field("name", Primitive.STRING, MatchMode.WORD);
    private static final SchemaField PART =
            field("part", Primitive.STRING, new MatchMode(Unit.TOKEN, Affix.SUBSTRING, false));
    private static final SchemaField CASED =
            field("cased", Primitive.STRING, new MatchMode(Unit.TOKEN, Affix.WHOLE, true));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    title | electrics     | Electrics Blues          | <hi>Electrics</hi> Blues
                    title | blues         | Electrics (Blues)!       | Electrics (<hi>Blues</hi>)!
                    title | creme brulee  | La Crème brûlée, crème   | La <hi>Crème</hi> <hi>brûlée</hi>, crème
                    title | strasse       | Eine Straße              | Eine <hi>Straße</hi>
                    title | ueber         | über über          | <hi>über</hi> <hi>über</hi>
                    title | electric      | electrics electrically   | <hi>electrics</hi> electrically
                    title | cat           | cats cat                 | cats <hi>cat</hi>
                    title | nothing       | Electrics Blues          | Electrics Blues
                    part  | oldin         | Bolding                  | B<hi>oldin</hi>g
                    part  | a b           | xa bx a b                | x<hi>a b</hi>x <hi>a b</hi>
                    cased | Blues         | blues Blues              | blues <hi>Blues</hi>
                    name  | Blue Note     | blue note                | <hi>blue note</hi>
                    name  | Blue          | blue note                | blue note
                    """)
    void marksWhatTheQueryLooksFor(String field, String words, String text, String shown) {
        QueryNode tree =
                words.contains(" ") && field.equals("title")
                        ? new QueryNode.Phrase(
                                field, List.of(words.split(" ")), TermSettings.DEFAULT)
                        : new QueryNode.Term(field, words, TermSettings.DEFAULT);

        assertThat(shaped(tree, field(field), new StringValue(text), Transform.BOLDED))
                .isEqualTo(new StringValue(shown));
    }

    @ParameterizedTest
    @CsvSource({"st, true", "s, false", "annou, true", "anno, false"})
    void marksLongerWordsAsFarAsTheRulesSay(String word, boolean isMarked) {
        var rules =
                new SnippetRules(
                        SnippetSettings.DEFAULT,
                        Map.of(
                                "title",
                                new SnippetSettings(
                                        new SnippetSize(256, 128, 3, 128),
                                        200,
                                        1_000,
                                        new StemMarking(1, 8),
                                        true)));
        String text = word.startsWith("s") ? "stop" : "announcements";

        assertThat(
                        new SummaryTransforms(
                                        matcher(term("title", word)),
                                        rules,
                                        Marking.DEFAULT,
                                        _ -> new BitSet(),
                                        (_, _) -> new BitSet(),
                                        new WorkMeter())
                                .shown(
                                        Map.of(TITLE, new StringValue(text)),
                                        shown(Transform.BOLDED, TITLE)))
                .contains(new StringValue(isMarked ? "<hi>" + text + "</hi>" : text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    fish    | He fishes where fish are | He <hi>fishes</hi> where <hi>fish</hi> are
                    eleph   | An elephant, 12 elks     | An <hi>eleph</hi>ant, 12 elks
                    elks    | An elephant, 12 elks     | An elephant, 12 <hi>elks</hi>
                    lants   | An elephant, 12 elks     | An elephant, 12 elks
                    """)
    void marksFormsOfWordsAndPartsOfThem(String word, String text, String shown) {
        String field = word.equals("fish") ? "stems" : "grams";

        assertThat(shaped(term(field, word), field(field), new StringValue(text), Transform.BOLDED))
                .isEqualTo(new StringValue(shown));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ALL          | elepxx | An elephant    | An elephant
                    ANY          | elepxx | An elephant    | An <hi>elep</hi>hant
                    WEAK_AND     | elepxx | An elephant    | An <hi>elep</hi>hant
                    PHRASE       | eleph  | elephant eleph | <hi>eleph</hi>ant <hi>eleph</hi>
                    PHRASE       | elep   | lep ele elep   | lep ele <hi>elep</hi>
                    NEAR         | elep   | lep ele elep   | <hi>lep</hi> <hi>ele</hi> <hi>elep</hi>
                    ORDERED_NEAR | elep   | lep ele elep   | lep ele <hi>elep</hi>
                    PHRASE       | ÉLEP   | an élepHANT    | an <hi>élep</hi>HANT
                    """)
    void marksGramsByTheirMatch(GramMatch match, String word, String text, String shown) {
        var tree = new QueryNode.Term("grams", word, TermSettings.DEFAULT.with(match));

        assertThat(shaped(tree, field("grams"), new StringValue(text), Transform.BOLDED))
                .isEqualTo(new StringValue(shown));
    }

    @Test
    void marksTheWholeWordOfAPrefixAndNothingOfASuffix() {
        var tree =
                new QueryNode.And(
                        List.of(
                                affixed("mu", TermSettings.Affix.PREFIX),
                                affixed("est", TermSettings.Affix.SUFFIX)));

        assertThat(shaped(tree, TITLE, new StringValue("Music from the deepest"), Transform.BOLDED))
                .isEqualTo(new StringValue("<hi>Music</hi> from the deepest"));
    }

    @Test
    void marksNoWordsOfOtherFieldsAndNoneThatMustNotBe() {
        var tree =
                new QueryNode.Without(
                        new QueryNode.And(List.of(term("title", "a"), term("body", "b"))),
                        List.of(term("title", "c")));

        assertThat(shaped(tree, TITLE, new StringValue("a b c"), Transform.BOLDED))
                .isEqualTo(new StringValue("<hi>a</hi> b c"));
    }

    @Test
    void marksSearchedWordsOfAFieldset() {
        assertThat(shaped(term("default", "b"), BODY, new StringValue("a b"), Transform.BOLDED))
                .isEqualTo(new StringValue("a <hi>b</hi>"));
    }

    @Test
    void marksEachElementByItself() {
        assertThat(shaped(term("lines", "b"), LINES, texts("a", "b a", "b"), Transform.BOLDED))
                .isEqualTo(texts("a", "<hi>b</hi> a", "<hi>b</hi>"));
    }

    @Test
    void showsTheWordsThatTextsAreCutInto() {
        assertThat(
                        shaped(
                                new QueryNode.All(),
                                TITLE,
                                new StringValue("Crème, BRÛLÉE!"),
                                Transform.TOKENS))
                .isEqualTo(texts("creme", "brulee"));
        assertThat(
                        shaped(
                                new QueryNode.All(),
                                NAME,
                                new StringValue("Blue Note"),
                                Transform.TOKENS))
                .isEqualTo(texts("blue note"));
        assertThat(shaped(new QueryNode.All(), LINES, texts("A b", "c"), Transform.TOKENS))
                .isEqualTo(new FieldValue.ArrayValue(List.of(texts("a", "b"), texts("c"))));
    }

    @Test
    void cutsTextsAsTheyAreSearched() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        String[] pieces = {
            "a", "B", "é", "e\u0301", "ß", "Ü", "u\u0308", "ｱ", "Ａ", "9", "中", "🐝", " ", "-", "'",
            "\u0301", "Ω", "ﬁ"
        };
        for (int i = 0; i < 3_000; i++) {
            var text = new StringBuilder();
            for (int count = random.nextInt(20); count > 0; count--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }

            assertThat(TextMarks.words(text.toString(), Folding.ACCENTS))
                    .as("'%s', seed %d", text, seed)
                    .isEqualTo(Tokenizer.tokens(text.toString()));
        }
    }

    @Test
    void joinsSeveralSourcesToOneText() {
        var values = new LinkedHashMap<SchemaField, FieldValue>();
        values.put(TITLE, new StringValue("One"));
        values.put(LINES, texts("two", "three"));

        assertThat(
                        new SummaryTransforms(
                                        matcher(new QueryNode.All()),
                                        SnippetRules.DEFAULT,
                                        Marking.DEFAULT,
                                        _ -> new BitSet(),
                                        (_, _) -> new BitSet(),
                                        new WorkMeter())
                                .shown(values, shown(Transform.NONE, TITLE, LINES)))
                .contains(new StringValue("One two three"));
    }

    @ParameterizedTest
    @CsvSource({"DYNAMIC, <hi>One</hi><sep />7", "BOLDED, <hi>One</hi> 7"})
    void numbersAmongSeveralSourcesAreShownAsTexts(Transform transform, String shown) {
        SchemaField year = field("year", Primitive.INT, MatchMode.WORD);
        var values = new LinkedHashMap<SchemaField, FieldValue>();
        values.put(TITLE, new StringValue("One"));
        values.put(year, new FieldValue.IntValue(7));

        assertThat(
                        new SummaryTransforms(
                                        matcher(term("title", "one")),
                                        SnippetRules.DEFAULT,
                                        Marking.DEFAULT,
                                        _ -> new BitSet(),
                                        (_, _) -> new BitSet(),
                                        new WorkMeter())
                                .shown(values, shown(transform, TITLE, year)))
                .contains(new StringValue(shown));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    tensor(x{})      | 0 2                       | a,c
                    tensor(x{})      | 2 1                       | b,c
                    tensor(x{})      | 7 1 b -1 1.0 99999999999  | b
                    tensor(x{},y[2]) | 1                         | b
                    tensor(x{})      | 9                         | -
                    tensor(x{},y{})  | 0/1                       | -
                    """)
    void showsTheElementsWhoseNumbersAreLabels(String type, String labels, String shown) {
        TensorType parsed = TensorType.parse(type);
        var cells = new HashMap<List<String>, double[]>();
        for (String label : labels.split(" ", -1)) {
            cells.put(List.of(label.split("/", -1)), new double[parsed.subspaceSize()]);
        }
        var feature = new QueryInput.TensorInput(MixedTensor.of(parsed, cells));
        FieldValue value = texts("a", "b", "c");
        var selected =
                new SummaryFields.Shown(
                        "shown",
                        List.of(whole(LINES)),
                        Transform.NONE,
                        new Elements.SelectedBy("f"),
                        false);

        Optional<FieldValue> result =
                new SummaryTransforms(
                                matcher(new QueryNode.All()),
                                SnippetRules.DEFAULT,
                                Marking.DEFAULT,
                                _ -> new BitSet(),
                                (name, count) ->
                                        SelectedElements.of(Map.of("f", feature).get(name), count),
                                new WorkMeter())
                        .shown(Map.of(LINES, value), selected);

        assertThat(result)
                .isEqualTo(Optional.ofNullable(shown).map(all -> texts(all.split(",", -1))));
    }

    /** Of the elements, the second and third are selected; then each is transformed. */
    @ParameterizedTest
    @EnumSource(Transform.class)
    void selectsElementsBeforeItTransformsEach(Transform transform) {
        var shown =
                new SummaryFields.Shown(
                        "shown", List.of(whole(LINES)), transform, new Elements.Matched(), false);
        var matched = new BitSet();
        matched.set(1, 3);

        Optional<FieldValue> result =
                new SummaryTransforms(
                                matcher(term("lines", "b")),
                                SnippetRules.DEFAULT,
                                Marking.DEFAULT,
                                _ -> matched,
                                (_, _) -> new BitSet(),
                                new WorkMeter())
                        .shown(Map.of(LINES, texts("b", "b a", "c b")), shown);

        assertThat(result)
                .contains(
                        switch (transform) {
                            case NONE -> texts("b a", "c b");
                            case BOLDED, DYNAMIC -> texts("<hi>b</hi> a", "c <hi>b</hi>");
                            case TOKENS ->
                                    new FieldValue.ArrayValue(
                                            List.of(texts("b", "a"), texts("c", "b")));
                        });
    }

    private static QueryNode term(String field, String word) {
        return new QueryNode.Term(field, word, TermSettings.DEFAULT);
    }

    private static QueryNode affixed(String word, TermSettings.Affix affix) {
        return new QueryNode.Term("title", word, new TermSettings(100, true, affix));
    }

    private static FieldValue texts(String... texts) {
        return new FieldValue.ArrayValue(
                List.of(texts).stream().<FieldValue>map(StringValue::new).toList());
    }

    private static FieldValue shaped(
            QueryNode tree, SchemaField field, FieldValue value, Transform transform) {
        return new SummaryTransforms(
                        matcher(tree),
                        SnippetRules.DEFAULT,
                        Marking.DEFAULT,
                        _ -> new BitSet(),
                        (_, _) -> new BitSet(),
                        new WorkMeter())
                .shown(Map.of(field, value), shown(transform, field))
                .orElseThrow();
    }

    private static SummaryFields.Shown shown(Transform transform, SchemaField... sources) {
        return new SummaryFields.Shown(
                "shown",
                Stream.of(sources).map(SummaryTransformsTest::whole).toList(),
                transform,
                new Elements.All(),
                false);
    }

    private static SummaryFields.Source whole(SchemaField field) {
        return new SummaryFields.Source(field, "");
    }

    private static SchemaField field(String name) {
        return SCHEMA.field(name).orElseThrow();
    }

    private static final Schema SCHEMA =
            schema(
                    TITLE,
                    BODY,
                    LINES,
                    NAME,
                    PART,
                    CASED,
                    field("stems", Primitive.STRING, MatchMode.TEXT.with(Stemming.BEST)),
                    field("grams", Primitive.STRING, MatchMode.TEXT.byGrams(3)));

    private static Matcher matcher(QueryNode tree) {
        return Matcher.compile(tree, SCHEMA, Map.of(), new QueryFields());
    }

    private static Schema schema(SchemaField... fields) {
        var byName = new LinkedHashMap<String, SchemaField>();
        for (SchemaField field : fields) {
            byName.put(field.field().name(), field);
        }
        return new Schema(
                "s",
                new DocumentType("s", byName.values().stream().map(SchemaField::field).toList()),
                byName,
                new FieldNames(
                        Map.of("default", new Fieldset("default", List.of("title", "body"))),
                        Map.of(),
                        Map.of()),
                Map.of(),
                new SummaryRules(Map.of(), SnippetRules.DEFAULT));
    }

    private static SchemaField field(String name, FieldType type, MatchMode match) {
        return new SchemaField(
                new Field(name, type, true),
                Set.of(Aspect.INDEX),
                match,
                DistanceMetric.EUCLIDEAN,
                new IndexingScript(List.of()));
    }
}
