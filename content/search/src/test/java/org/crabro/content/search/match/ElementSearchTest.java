package org.crabro.content.search.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SummaryRules;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.text.Folding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests conditions on elements, members, keys and locations against {@link NaiveElements}. */
class ElementSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final List<String> WORDS =
            List.of("blue", "Red", "green", "house", "houses", "mouse", "日本", "x1");
    private static final List<QueryNode.AnyOf.Kind> KINDS =
            List.of(
                    QueryNode.AnyOf.Kind.IN,
                    QueryNode.AnyOf.Kind.WEIGHTED_SET,
                    QueryNode.AnyOf.Kind.DOT_PRODUCT);
    private static final FieldType.StructOf PERSON =
            new FieldType.StructOf(
                    "person",
                    List.of(
                            new Field("name", Primitive.STRING, true),
                            new Field("born", Primitive.INT, true),
                            new Field("nicks", new FieldType.ArrayOf(Primitive.STRING), true)));
    private static final DocumentType TYPE =
            new DocumentType(
                    "item",
                    List.of(
                            new Field("words", Primitive.STRING, true),
                            new Field("name", Primitive.STRING, true),
                            new Field("years", new FieldType.ArrayOf(Primitive.INT), true),
                            new Field("tags", new FieldType.WeightedSetOf(Primitive.STRING), true),
                            new Field("counts", new FieldType.WeightedSetOf(Primitive.LONG), true),
                            new Field(
                                    "sizes",
                                    new FieldType.MapOf(Primitive.STRING, Primitive.DOUBLE),
                                    true),
                            new Field("people", new FieldType.ArrayOf(PERSON), true),
                            new Field("roles", new FieldType.MapOf(Primitive.STRING, PERSON), true),
                            new Field("boss", PERSON, true),
                            new Field("place", FieldType.StructOf.POSITION, true),
                            new Field(
                                    "places",
                                    new FieldType.ArrayOf(FieldType.StructOf.POSITION),
                                    true)));
    private static final Schema SCHEMA = schema();

    private final Random random = new Random(SEED);
    private final Arena arena = Arena.ofShared();

    @AfterEach
    void close() {
        arena.close();
    }

    private static Schema schema() {
        var fields = new LinkedHashMap<String, SchemaField>();
        for (Field field : TYPE.fields()) {
            fields.put(
                    field.name(),
                    new SchemaField(
                            field,
                            Set.of(field.name().equals("words") ? Aspect.INDEX : Aspect.ATTRIBUTE),
                            field.name().equals("words") ? MatchMode.TEXT : MatchMode.WORD,
                            DistanceMetric.EUCLIDEAN,
                            new IndexingScript(List.of())));
        }
        var shown =
                new DocumentSummary(
                        "found",
                        List.of(
                                new DocumentSummary.SummaryField(
                                        "people",
                                        List.of("people"),
                                        DocumentSummary.Transform.NONE,
                                        new DocumentSummary.Elements.Matched())));
        return new Schema(
                "item",
                TYPE,
                fields,
                new FieldNames(
                        Map.of(
                                "both",
                                new Fieldset("both", List.of("words", "name", "years")),
                                "texts",
                                new Fieldset("texts", List.of("words"))),
                        Map.of(),
                        Map.of()),
                Map.of(),
                new SummaryRules(Map.of("found", shown), SnippetRules.DEFAULT));
    }

    /** An element is sought where a row would match that has no other. */
    @Test
    void returnsTheRequestedElements() {
        int searchedCount = 0;
        for (int round = 0; round < 200; round++) {
            List<Row> rows = rows(10);
            QueryNode tree = tree(0);
            if (tree instanceof QueryNode.SameElement same && !same.elements().isEmpty()) {
                continue;
            }
            var fields = new QueryFields();
            Matcher matcher = Matcher.compile(tree, SCHEMA, Map.of(), fields);
            var block = new BlockWriter(TYPE).write(rows, arena);
            var slice = new BlockSlice(block, 0, rows.size(), DeadRows.of(new int[0]));
            var scan =
                    new BlockScan(
                            matcher,
                            fields,
                            List.of(slice),
                            List.of(),
                            new TextHitsCache(1),
                            BlockCaches.none());
            scan.open(0);
            for (int row = 0; row < rows.size(); row++) {
                for (Map.Entry<String, FieldValue> field : rows.get(row).fields().entrySet()) {
                    var expected = new BitSet();
                    List<FieldValue> elements = elements(field.getValue());
                    for (int i = 0; i < elements.size(); i++) {
                        expected.set(
                                i,
                                NaiveElements.matches(
                                        tree, Map.of(field.getKey(), elements.get(i))));
                    }
                    searchedCount += expected.cardinality();

                    assertThat(
                                    matcher.elements()
                                            .of(
                                                    scan,
                                                    block,
                                                    row,
                                                    SCHEMA.field(field.getKey()).orElseThrow()))
                            .as(
                                    "%s in %s %s, seed %d",
                                    QueryText.of(tree), field.getKey(), field.getValue(), SEED)
                            .isEqualTo(expected);
                }
            }
        }
        assertThat(searchedCount).isGreaterThan(100);
    }

    @Test
    void seeksElementsByEveryConditionButThoseThatExclude() {
        List<Row> rows =
                List.of(
                        row(
                                0,
                                Map.of(
                                        "years",
                                        new FieldValue.ArrayValue(
                                                IntStream.range(0, 6)
                                                        .<FieldValue>mapToObj(
                                                                FieldValue.IntValue::new)
                                                        .toList()))));
        var tree =
                new QueryNode.Without(
                        new QueryNode.Rank(
                                new QueryNode.Or(List.of(term("years", "1"), term("years", "9"))),
                                List.of(term("years", ">4"))),
                        List.of(term("years", "2")));
        var fields = new QueryFields();
        Matcher matcher = Matcher.compile(tree, SCHEMA, Map.of(), fields);
        var block = new BlockWriter(TYPE).write(rows, arena);
        var scan =
                new BlockScan(
                        matcher,
                        fields,
                        List.of(new BlockSlice(block, 0, 1, DeadRows.of(new int[0]))),
                        List.of(),
                        new TextHitsCache(1),
                        BlockCaches.none());

        assertThat(
                        matcher
                                .elements()
                                .of(scan, block, 0, SCHEMA.field("years").orElseThrow())
                                .stream()
                                .boxed())
                .containsExactly(1, 5);
    }

    /** Returns a value for each element; none for a value that is no collection. */
    private static List<FieldValue> elements(FieldValue value) {
        return switch (value) {
            case FieldValue.ArrayValue(var all) ->
                    all.stream()
                            .<FieldValue>map(each -> new FieldValue.ArrayValue(List.of(each)))
                            .toList();
            case FieldValue.WeightedSetValue(var all) ->
                    all.entrySet().stream()
                            .<FieldValue>map(each ->
                                    new FieldValue.WeightedSetValue(
                                            Map.of(each.getKey(), each.getValue())))
                            .toList();
            case FieldValue.MapValue(var all) ->
                    all.entrySet().stream()
                            .<FieldValue>map(each ->
                                    new FieldValue.MapValue(Map.of(each.getKey(), each.getValue())))
                            .toList();
            default -> List.of();
        };
    }

    @Test
    void matchesWhatTheSpecificationSays() {
        int matchCount = 0;
        for (int round = 0; round < 40; round++) {
            List<Row> rows = rows(1 + random.nextInt(120));
            for (int i = 0; i < 60; i++) {
                QueryNode tree = tree(2);
                List<String> expected =
                        rows.stream()
                                .filter(row -> NaiveElements.matches(tree, row.fields()))
                                .map(row -> row.id().toString())
                                .toList();
                matchCount += expected.size();

                assertThat(search(tree, rows))
                        .as("%s, seed %d", QueryText.of(tree), SEED)
                        .containsExactlyElementsOf(expected);
            }
        }
        assertThat(matchCount).isPositive();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ThisIsAFox | ^this.*fox$ | true
                    ThisIsAFox | [i]+[b]+    | false
                    a.b        | a\\.b       | true
                    日本語       | 本          | true
                    abc        | ^b          | false
                    """)
    void findsExpressionsAnywhereInAnElement(String text, String expression, boolean matches) {
        List<Row> rows = List.of(row(0, Map.of("name", new StringValue(text))));

        assertThat(search(new QueryNode.Regex("name", expression, TermSettings.DEFAULT), rows))
                .hasSize(matches ? 1 : 0);
    }

    /** A comparison with one number finds it as a word of texts, however the texts are matched. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    words     | 2      | true
                    words     | 1.5    | true
                    words     | 5      | true
                    words     | -2     | true
                    words     | 3      | false
                    words     | 5.1    | false
                    name      | 2      | false
                    name      | 7      | true
                    name      | -7     | false
                    both      | 7      | true
                    both      | 30     | true
                    both      | 2      | true
                    both      | 8      | false
                    tags      | 40     | true
                    people.name | 60   | true
                    people    | 60     | true
                    people    | 61     | true
                    people    | 62     | false
                    """)
    void findsNumbersAsWordsOfTexts(String field, String number, boolean matches) {
        List<Row> rows =
                List.of(
                        row(
                                0,
                                Map.of(
                                        "words", new StringValue("from 1.5 to 2"),
                                        "name", new StringValue("7"),
                                        "years",
                                                new FieldValue.ArrayValue(
                                                        List.of(new FieldValue.IntValue(30))),
                                        "tags",
                                                new FieldValue.WeightedSetValue(
                                                        Map.of(new StringValue("40"), 1)),
                                        "people",
                                                new FieldValue.ArrayValue(
                                                        List.of(
                                                                new FieldValue.StructValue(
                                                                        Map.of(
                                                                                "name",
                                                                                new StringValue(
                                                                                        "60"),
                                                                                "born",
                                                                                new FieldValue
                                                                                        .IntValue(
                                                                                        61))))))));
        RangeEnd end =
                number.contains(".")
                        ? new RangeEnd.Real(Double.parseDouble(number), true)
                        : new RangeEnd.Whole(Long.parseLong(number), true);
        var equal = new QueryNode.Range(field, end, end, TermSettings.DEFAULT);

        assertThat(search(equal, rows)).hasSize(matches ? 1 : 0);
    }

    @Test
    void comparesNoTextsWithSeveralNumbers() {
        var several =
                new QueryNode.Range(
                        "words",
                        new RangeEnd.Whole(1, true),
                        new RangeEnd.Whole(2, true),
                        TermSettings.DEFAULT);

        assertThatExceptionOfType(QueryRejectedException.class)
                .isThrownBy(() -> search(several, List.of()))
                .withMessage("field 'words' of type string cannot be searched this way");
    }

    @ParameterizedTest
    @ValueSource(strings = {"words", "texts"})
    void comparesOnlyAttributesWithFuzzyTexts(String field) {
        assertThatExceptionOfType(QueryRejectedException.class)
                .isThrownBy(() -> search(fuzzy(field), List.of()))
                .withMessage(
                        "fuzzy() is for attributes, and field '%s' of 'item' has none; {token: true}"
                                        .formatted(field)
                                + " compares its words");
    }

    @Test
    void comparesTheAttributesOfAFieldsetWithFuzzyTexts() {
        List<Row> rows =
                List.of(
                        row(1, Map.of("name", new StringValue("bluo"))),
                        row(0, Map.of("words", new StringValue("blue"))));

        assertThat(search(new QueryNode.Fuzzy("both", "blue", 1, 0, false, plain()), rows))
                .containsExactly("id:a:item:g=g:1");
    }

    @Test
    void saysWhichPartsCannotBeAskedFor() {
        assertThatExceptionOfType(QueryRejectedException.class)
                .isThrownBy(() -> search(term("people.height", "x"), List.of()))
                .withMessage(
                        "field 'people.height' of type array<person> cannot be searched this way");
        assertThatExceptionOfType(QueryRejectedException.class)
                .isThrownBy(() ->
                        search(
                                new QueryNode.SameElement(
                                        "name", List.of(term("", "x")), List.of()),
                                List.of()))
                .withMessage(
                        "sameElement() is for arrays, weighted sets and maps, and 'name' is"
                                + " string");
        assertThatExceptionOfType(QueryRejectedException.class)
                .isThrownBy(() ->
                        search(
                                new QueryNode.SameElement(
                                        "people", List.of(term("height", "x")), List.of()),
                                List.of()))
                .withMessage(
                        "sameElement(people) on elements of type array<person>: 'height' cannot be"
                                + " searched this way");
        assertThatExceptionOfType(QueryRejectedException.class)
                .isThrownBy(() ->
                        search(new QueryNode.Regex("name", "(", TermSettings.DEFAULT), List.of()))
                .withMessageStartingWith("the regular expression '(' is wrong: missing closing )");
        assertThatExceptionOfType(QueryRejectedException.class)
                .isThrownBy(() ->
                        search(
                                new QueryNode.Regex("name", "[b-\uffff]", TermSettings.DEFAULT),
                                List.of()))
                .withMessage(
                        "the regular expression has characters from U+1C80 to U+1C88, whose"
                                + " case cannot be ignored");
    }

    private List<String> search(QueryNode tree, List<Row> rows) {
        var slices = new ArrayList<BlockSlice>();
        for (int from = 0; from < rows.size(); ) {
            int to = Math.min(rows.size(), from + 1 + random.nextInt(40));
            BlockWriter writer =
                    random.nextBoolean()
                            ? new BlockWriter(TYPE)
                            : new BlockWriter(
                                    TYPE, new SearchedTexts(Map.of("words", Folding.ACCENTS)));
            slices.add(
                    new BlockSlice(
                            writer.write(rows.subList(from, to), arena),
                            0,
                            to - from,
                            DeadRows.of(new int[0])));
            from = to;
        }
        var fields = new QueryFields();
        Matcher matcher = Matcher.compile(tree, SCHEMA, Map.of(), fields);
        var scan =
                new BlockScan(
                        matcher,
                        fields,
                        slices,
                        List.of(),
                        new TextHitsCache(slices.size()),
                        BlockCaches.none());
        var ids = new ArrayList<String>();
        for (int slice = 0; slice < slices.size(); slice++) {
            scan.open(slice);
            int count = scan.canMatch() ? scan.match() : 0;
            for (int i = 0; i < count; i++) {
                ids.add(slices.get(slice).block().id(scan.rows()[i]).toString());
            }
        }
        return ids;
    }

    private List<Row> rows(int count) {
        var rows = new ArrayList<Row>();
        for (int i = 0; i < count; i++) {
            var fields = new LinkedHashMap<String, FieldValue>();
            for (Field field : TYPE.fields()) {
                if (random.nextInt(5) > 0) {
                    fields.put(field.name(), value(field.name(), field.type()));
                }
            }
            rows.add(row(i, fields));
        }
        rows.sort(Comparator.comparing(row -> RowKey.of(row.id())));
        return rows;
    }

    private static Row row(int number, Map<String, FieldValue> fields) {
        return new Row(
                DocumentId.parse("id:a:item:g=g:" + number), 1, TYPE.fingerprint(), false, fields);
    }

    private FieldValue value(String name, FieldType type) {
        return switch (type) {
            case FieldType.ArrayOf(var element) ->
                    new FieldValue.ArrayValue(several(() -> value(name, element)));
            case FieldType.WeightedSetOf(var element) -> {
                var weights = new LinkedHashMap<FieldValue, Integer>();
                several(() -> value(name, element))
                        .forEach(each -> weights.put(each, random.nextInt(-3, 10)));
                yield new FieldValue.WeightedSetValue(weights);
            }
            case FieldType.MapOf(var key, var value) -> {
                var entries = new LinkedHashMap<FieldValue, FieldValue>();
                several(() -> value(name, key))
                        .forEach(each -> entries.put(each, value(name, value)));
                yield new FieldValue.MapValue(entries);
            }
            case FieldType.StructOf struct -> {
                boolean isPlace = struct.equals(FieldType.StructOf.POSITION);
                var members = new LinkedHashMap<String, FieldValue>();
                for (Field member : struct.fields()) {
                    if (isPlace || random.nextInt(4) > 0) {
                        members.put(member.name(), value(member.name(), member.type()));
                    }
                }
                yield new FieldValue.StructValue(members);
            }
            case Primitive.STRING ->
                    new StringValue(name.equals("words") ? text(8) : text(1 + random.nextInt(2)));
            case Primitive.INT -> new FieldValue.IntValue(number());
            case Primitive.LONG -> new FieldValue.LongValue(number());
            case Primitive.DOUBLE -> new FieldValue.DoubleValue(number() / 2.0);
            default -> throw new IllegalArgumentException(type.text());
        };
    }

    private List<FieldValue> several(Supplier<FieldValue> value) {
        return IntStream.range(0, random.nextInt(4)).mapToObj(_ -> value.get()).toList();
    }

    private int number() {
        return random.nextInt(-4, 5);
    }

    private String text(int count) {
        return String.join(
                " ", IntStream.range(0, count).mapToObj(_ -> word()).toArray(String[]::new));
    }

    private String word() {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    private QueryNode tree(int depth) {
        return switch (random.nextInt(depth == 0 ? 10 : 13)) {
            case 0 ->
                    new QueryNode.Regex(
                            textField(), pick("^b", "u.e", "s$", "red|x", "日"), plain());
            case 1 -> fuzzy(attribute());
            case 2, 3 -> near("words");
            case 4, 5, 6 -> sameElement();
            case 7 -> anyOf();
            case 8 -> place();
            case 9 -> value();
            case 10 -> new QueryNode.And(List.of(tree(depth - 1), tree(depth - 1)));
            case 11 -> new QueryNode.Or(List.of(tree(depth - 1), tree(depth - 1)));
            default -> new QueryNode.Without(tree(depth - 1), List.of(tree(depth - 1)));
        };
    }

    private QueryNode value() {
        return switch (random.nextInt(3)) {
            case 0 ->
                    term(
                            pick(
                                    "tags",
                                    "people",
                                    "people.name",
                                    "people.nicks",
                                    "roles.key",
                                    "roles.value.name",
                                    "roles{blue}.name",
                                    "boss",
                                    "boss.nicks",
                                    "sizes",
                                    "name"),
                            word());
            case 1 ->
                    range(
                            pick(
                                    "years",
                                    "counts",
                                    "sizes.value",
                                    "sizes{Red}",
                                    "people.born",
                                    "boss.born",
                                    "roles.value.born"));
            default -> term(pick("years", "counts", "people", "boss.born"), "" + number());
        };
    }

    private String textField() {
        return random.nextInt(6) == 0 ? "words" : attribute();
    }

    private String attribute() {
        return pick("name", "tags", "people.name", "roles.value.nicks", "boss.name");
    }

    private QueryNode fuzzy(String field) {
        return new QueryNode.Fuzzy(
                field,
                pick("blu", "hous", "green red", "mose", "日"),
                random.nextInt(4),
                random.nextInt(3),
                random.nextBoolean(),
                plain());
    }

    private QueryNode near(String field) {
        var near = new ArrayList<QueryNode>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            near.add(
                    switch (random.nextInt(5)) {
                        case 0 -> new QueryNode.Phrase(field, List.of(word(), word()), plain());
                        case 1 ->
                                new QueryNode.Equiv(
                                        List.of(term(field, word()), term(field, word())));
                        default -> term(field, word());
                    });
        }
        return new QueryNode.Near(
                field,
                near,
                random.nextBoolean() ? List.of() : List.of(term(field, word())),
                random.nextInt(5),
                random.nextInt(3),
                random.nextBoolean());
    }

    private QueryNode sameElement() {
        return switch (random.nextInt(5)) {
            case 0 -> same("tags", List.of(term("", word())));
            case 1 -> same("years", List.of(range("")));
            case 2 -> same("sizes", List.of(term("key", word()), range("value")));
            case 3 ->
                    same(
                            "roles",
                            List.of(
                                    term("key", word()),
                                    random.nextBoolean()
                                            ? term("value.name", word())
                                            : fuzzy("value.nicks")));
            default ->
                    same(
                            "people",
                            List.of(
                                    random.nextBoolean()
                                            ? new QueryNode.Or(
                                                    List.of(
                                                            term("name", word()),
                                                            term("nicks", word())))
                                            : new QueryNode.Without(
                                                    range("born"), List.of(term("name", word()))),
                                    range("born")));
        };
    }

    private QueryNode same(String field, List<QueryNode> conditions) {
        return new QueryNode.SameElement(
                field,
                conditions,
                random.nextInt(3) > 0 ? List.of() : List.of(random.nextInt(2), 2));
    }

    private QueryNode anyOf() {
        boolean texts = random.nextBoolean();
        var keys = new ArrayList<QueryNode.WeightedKey>();
        for (String key : texts ? List.of(word(), "nothing") : List.of("" + number(), "77")) {
            keys.add(new QueryNode.WeightedKey(key, random.nextInt(1, 5)));
        }
        return new QueryNode.AnyOf(
                texts ? pick("tags", "name", "words") : pick("counts", "years"),
                KINDS.get(random.nextInt(KINDS.size())),
                keys,
                0,
                plain());
    }

    private QueryNode place() {
        String field = pick("place", "places");
        return random.nextBoolean()
                ? new QueryNode.GeoCircle(field, number(), number(), random.nextInt(-1, 4), plain())
                : new QueryNode.GeoBox(field, -2, -1.5, number(), number(), plain());
    }

    @Test
    void comparesSumsOfWeightsWithTheThreshold() {
        for (int round = 0; round < 50; round++) {
            List<Row> rows = rows(30);
            var tree =
                    new QueryNode.AnyOf(
                            pick("tags", "name"),
                            QueryNode.AnyOf.Kind.DOT_PRODUCT,
                            List.of(
                                    new QueryNode.WeightedKey("Blue", 3),
                                    new QueryNode.WeightedKey("red", 2),
                                    new QueryNode.WeightedKey("mouse", 11)),
                            1 + random.nextInt(20),
                            plain());

            assertThat(search(tree, rows))
                    .as("seed %d", SEED)
                    .containsExactlyElementsOf(
                            rows.stream()
                                    .filter(row -> NaiveElements.matches(tree, row.fields()))
                                    .map(row -> row.id().toString())
                                    .toList());
        }
    }

    private QueryNode range(String field) {
        Optional<Integer> low = random.nextInt(4) == 0 ? Optional.empty() : Optional.of(number());
        return new QueryNode.Range(
                field,
                low.<RangeEnd>map(value -> new RangeEnd.Whole(value, random.nextBoolean()))
                        .orElseGet(RangeEnd.Unbounded::new),
                new RangeEnd.Whole(number() + 2, random.nextBoolean()),
                plain());
    }

    private static QueryNode term(String field, String text) {
        return new QueryNode.Term(field, text, plain());
    }

    private static TermSettings plain() {
        return TermSettings.DEFAULT;
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
