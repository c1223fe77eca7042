package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.Stemming;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.TextHitsCache;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.query.QueryFields;
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
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.DoubleValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.LongValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.query.GramMatch;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryNode.AnyOf.Kind;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.query.TermSettings.Affix;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.text.TextAnalysis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that single operators of queries allocate memory per block, but none per document. {@link
 * ScanCost} describes the measurement.
 */
@Tag("own-jvm")
class OperatorAllocationTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int BLOCKS = 4;
    private static final int ROWS = 1_000;

    /** Enough rows for all words to be in each block: finding a word allocates memory per block. */
    private static final int FEW_ROWS = 50;

    /**
     * The limit for data on the different words or values of a block, which may be as long as the
     * block.
     */
    private static final long BYTES_PER_BLOCK = 40_000;

    private static final double BYTES_PER_REGEX = 40;

    private static final List<String> WORDS =
            List.of("blue", "red", "houses", "house", "fishing", "crème", "日本語", "go", "ab");

    private static final FieldType.StructOf PERSON =
            new FieldType.StructOf(
                    "person",
                    List.of(
                            new Field("name", Primitive.STRING, true),
                            new Field("born", Primitive.INT, true)));

    private static final DocumentType TYPE =
            new DocumentType(
                    "item",
                    List.of(
                            new Field("words", Primitive.STRING, true),
                            new Field("parts", new FieldType.ArrayOf(Primitive.STRING), true),
                            new Field("forms", Primitive.STRING, true),
                            new Field("grams", Primitive.STRING, true),
                            new Field("name", Primitive.STRING, true),
                            new Field("lang", Primitive.STRING, true),
                            new Field("size", Primitive.INT, true),
                            new Field("sent", Primitive.LONG, true),
                            new Field("price", Primitive.FLOAT, true),
                            new Field("weight", Primitive.DOUBLE, true),
                            new Field("read", Primitive.BOOL, true),
                            new Field("years", new FieldType.ArrayOf(Primitive.INT), true),
                            new Field("tags", new FieldType.WeightedSetOf(Primitive.STRING), true),
                            new Field("counts", new FieldType.WeightedSetOf(Primitive.LONG), true),
                            new Field(
                                    "sizes",
                                    new FieldType.MapOf(Primitive.STRING, Primitive.DOUBLE),
                                    true),
                            new Field("people", new FieldType.ArrayOf(PERSON), true),
                            new Field("place", FieldType.StructOf.POSITION, true),
                            new Field(
                                    "places",
                                    new FieldType.ArrayOf(FieldType.StructOf.POSITION),
                                    true)));

    private static final Schema SCHEMA = schema();

    @ParameterizedTest
    @MethodSource("trees")
    void allocatesNothingPerDocument(QueryNode tree) {
        allocates(tree, searched(), ScanCost.NOTHING);
    }

    /** As in blocks that were written before there was a schema. */
    @ParameterizedTest
    @MethodSource("trees")
    void allocatesNothingPerDocumentWithoutTokens(QueryNode tree) {
        allocates(tree, SearchedTexts.NONE, ScanCost.NOTHING);
    }

    /** The library that matches them wraps each text, however long it is. */
    @ParameterizedTest
    @ValueSource(strings = {"blue", "(red|blue) ho.*e", "[bd].*u[a-f]+$"})
    void allocatesOneSmallObjectPerTextForRegularExpressions(String expression) {
        allocates(
                new QueryNode.Regex("words", expression, TermSettings.DEFAULT),
                searched(),
                BYTES_PER_REGEX);
    }

    private void allocates(QueryNode tree, SearchedTexts texts, double bytesPerRow) {
        try (var arena = Arena.ofShared()) {
            List<BlockSlice> few = slices(FEW_ROWS, texts, arena);
            List<BlockSlice> many = slices(ROWS, texts, arena);
            String text = QueryText.of(tree);

            assertThat(match(scan(tree, many), many.size()))
                    .as("%s, seed %d", text, SEED)
                    .isPositive();

            BlockScan ofFew = scan(tree, few);
            BlockScan ofMany = scan(tree, many);
            new ScanCost(
                            (long) BLOCKS * (ROWS - FEW_ROWS),
                            bytesPerRow,
                            (long) (BLOCKS * (BYTES_PER_BLOCK + ROWS * bytesPerRow)),
                            SEED)
                    .assertHolds(
                            text, () -> match(ofFew, few.size()), () -> match(ofMany, many.size()));
        }
    }

    private static BlockScan scan(QueryNode tree, List<BlockSlice> slices) {
        var fields = new QueryFields();
        Matcher matcher = Matcher.compile(tree, SCHEMA, Map.of(), fields);
        return new BlockScan(
                matcher,
                fields,
                slices,
                List.of(),
                new TextHitsCache(slices.size()),
                BlockCaches.none());
    }

    private static int match(BlockScan scan, int slices) {
        int count = 0;
        for (int slice = 0; slice < slices; slice++) {
            scan.open(slice);
            count += scan.match();
        }
        return count;
    }

    static Stream<QueryNode> trees() {
        TermSettings plain = TermSettings.DEFAULT;
        TermSettings english = plain.with(true, "en");
        return Stream.of(
                term("words", "blue"),
                term("words", "blue house"),
                term("parts", "red"),
                term("forms", "house", english),
                term("grams", "fishing"),
                term("grams", "fishing", plain.with(GramMatch.ANY)),
                term("grams", "fishing", plain.with(GramMatch.PHRASE)),
                term("grams", "fish", plain.with(GramMatch.NEAR)),
                term("grams", "fish", plain.with(GramMatch.ORDERED_NEAR)),
                term("name", "blue"),
                term("lang", "red"),
                term("words", "hou", plain.with(Affix.PREFIX)),
                term("words", "use", plain.with(Affix.SUFFIX)),
                term("words", "ous", plain.with(Affix.SUBSTRING)),
                term("words", "e hou", plain.with(Affix.SUBSTRING)),
                term("name", "lu", plain.with(Affix.SUBSTRING)),
                new QueryNode.Phrase("words", List.of("blue", "house"), plain),
                new QueryNode.Phrase("forms", List.of("blue", "house"), english),
                new QueryNode.Equiv(List.of(term("words", "blue"), term("words", "red"))),
                near("words", plain, false),
                near("words", plain, true),
                near("forms", english, true),
                new QueryNode.Fuzzy("name", "blu", 2, 1, true, plain),
                new QueryNode.Near(
                        "words",
                        List.of(new QueryNode.Fuzzy("words", "bluo", 2, 1, true, plain)),
                        List.of(),
                        0,
                        0,
                        true),
                range("size", -2, 3),
                range("sent", -2, 3),
                range("price", -2, 3),
                range("weight", -2, 3),
                range("years", -2, 3),
                range("sizes.value", -2, 3),
                range("people.born", -2, 3),
                new QueryNode.BooleanEquals("read", true, plain),
                anyOf("lang", Kind.IN, 0, "red", "blue"),
                anyOf("years", Kind.IN, 0, "1", "2"),
                anyOf("words", Kind.IN, 0, "red", "blue"),
                anyOf("tags", Kind.WEIGHTED_SET, 0, "red", "blue"),
                anyOf("counts", Kind.DOT_PRODUCT, 0, "1", "2"),
                anyOf("tags", Kind.DOT_PRODUCT, 5, "red", "blue"),
                new QueryNode.GeoCircle("place", 0, 0, 2, plain),
                new QueryNode.GeoCircle("places", 0, 0, 2, plain),
                new QueryNode.GeoBox("place", -2, -2, 2, 2, plain),
                new QueryNode.SameElement(
                        "people", List.of(term("name", "blue"), range("born", -2, 3)), List.of()),
                new QueryNode.SameElement(
                        "sizes", List.of(term("key", "red"), range("value", -2, 3)), List.of()),
                new QueryNode.SameElement("tags", List.of(term("", "red")), List.of(0, 1)),
                new QueryNode.SameElement(
                        "tags",
                        List.of(
                                new QueryNode.Without(
                                        new QueryNode.Or(
                                                List.of(term("", "red"), near("", plain, false))),
                                        List.of(term("", "blue")))),
                        List.of()),
                new QueryNode.And(List.of(term("words", "blue"), range("size", -2, 3))),
                new QueryNode.Or(List.of(term("words", "blue"), range("size", -2, 3))),
                new QueryNode.WeakAnd(List.of(term("words", "blue"), term("parts", "red"))),
                new QueryNode.Without(term("words", "blue"), List.of(term("parts", "red"))),
                new QueryNode.Rank(term("words", "blue"), List.of(term("parts", "red"))));
    }

    private static QueryNode term(String field, String text) {
        return term(field, text, TermSettings.DEFAULT);
    }

    private static QueryNode term(String field, String text, TermSettings settings) {
        return new QueryNode.Term(field, text, settings);
    }

    private static QueryNode near(String field, TermSettings settings, boolean ordered) {
        return new QueryNode.Near(
                field,
                List.of(
                        term(field, "blue", settings),
                        new QueryNode.Equiv(
                                List.of(
                                        term(field, "house", settings),
                                        new QueryNode.Phrase(
                                                field, List.of("red", "go"), settings)))),
                List.of(term(field, "ab", settings)),
                4,
                1,
                ordered);
    }

    private static QueryNode range(String field, long low, long high) {
        return new QueryNode.Range(
                field,
                new RangeEnd.Whole(low, true),
                new RangeEnd.Whole(high, false),
                TermSettings.DEFAULT);
    }

    private static QueryNode anyOf(String field, Kind kind, double threshold, String... keys) {
        return new QueryNode.AnyOf(
                field,
                kind,
                Stream.of(keys).map(key -> new QueryNode.WeightedKey(key, 3)).toList(),
                threshold,
                TermSettings.DEFAULT);
    }

    private static Schema schema() {
        var fields = new LinkedHashMap<String, SchemaField>();
        for (Field field : TYPE.fields()) {
            MatchMode mode =
                    switch (field.name()) {
                        case "words", "parts" -> MatchMode.TEXT;
                        case "forms" -> MatchMode.TEXT.with(Stemming.BEST);
                        case "grams" -> MatchMode.TEXT.byGrams(3);
                        default -> MatchMode.WORD;
                    };
            fields.put(
                    field.name(),
                    new SchemaField(
                            field,
                            Set.of(mode.equals(MatchMode.WORD) ? Aspect.ATTRIBUTE : Aspect.INDEX),
                            mode,
                            DistanceMetric.EUCLIDEAN,
                            new IndexingScript(List.of())));
        }
        return new Schema("item", TYPE, fields);
    }

    private static SearchedTexts searched() {
        var foldings = new HashMap<String, TextAnalysis>();
        for (String name : List.of("words", "parts", "forms", "grams")) {
            foldings.put(name, SCHEMA.field(name).orElseThrow().matching().mode().folding());
        }
        return new SearchedTexts(foldings);
    }

    private static List<BlockSlice> slices(int rowsPerBlock, SearchedTexts texts, Arena arena) {
        var random = new Random(SEED);
        var sorted = new TreeMap<RowKey, Row>();
        for (int i = 0; i < rowsPerBlock * BLOCKS; i++) {
            var id = DocumentId.parse("id:a:item::" + i);
            sorted.put(RowKey.of(id), new Row(id, 1, TYPE.fingerprint(), false, row(random)));
        }
        List<Row> rows = List.copyOf(sorted.values());
        var slices = new ArrayList<BlockSlice>();
        for (int from = 0; from < rows.size(); from += rowsPerBlock) {
            List<Row> some = rows.subList(from, from + rowsPerBlock);
            var block = new BlockWriter(TYPE, texts).write(some, arena);
            slices.add(new BlockSlice(block, 0, rowsPerBlock, DeadRows.NONE));
        }
        return slices;
    }

    private static Map<String, FieldValue> row(Random random) {
        var fields = new LinkedHashMap<String, FieldValue>();
        for (Field field : TYPE.fields()) {
            fields.put(field.name(), value(random, field.name(), field.type()));
        }
        return fields;
    }

    private static FieldValue value(Random random, String name, FieldType type) {
        return switch (type) {
            case FieldType.ArrayOf(var element) ->
                    new ArrayValue(
                            IntStream.range(0, 3)
                                    .mapToObj(_ -> value(random, name, element))
                                    .toList());
            case FieldType.WeightedSetOf(var element) -> {
                var weights = new LinkedHashMap<FieldValue, Integer>();
                for (int i = 0; i < 3; i++) {
                    weights.put(value(random, name, element), random.nextInt(-3, 10));
                }
                yield new FieldValue.WeightedSetValue(weights);
            }
            case FieldType.MapOf(var key, var value) -> {
                var entries = new LinkedHashMap<FieldValue, FieldValue>();
                for (int i = 0; i < 3; i++) {
                    entries.put(value(random, name, key), value(random, name, value));
                }
                yield new FieldValue.MapValue(entries);
            }
            case FieldType.StructOf struct -> {
                var members = new LinkedHashMap<String, FieldValue>();
                for (Field member : struct.fields()) {
                    members.put(member.name(), value(random, member.name(), member.type()));
                }
                yield new FieldValue.StructValue(members);
            }
            case Primitive.STRING -> new StringValue(text(random, name));
            case Primitive.INT -> new IntValue(random.nextInt(-5, 6));
            case Primitive.LONG -> new LongValue(random.nextInt(-5, 6));
            case Primitive.FLOAT -> new FieldValue.FloatValue(random.nextInt(-5, 6));
            case Primitive.DOUBLE -> new DoubleValue(random.nextInt(-5, 6));
            case Primitive.BOOL -> new FieldValue.BoolValue(random.nextBoolean());
            default -> throw new IllegalArgumentException(type.text());
        };
    }

    /** Half of the texts are unique: if there were fewer, blocks would store them by number. */
    private static String text(Random random, String name) {
        int count =
                switch (name) {
                    case "words", "parts", "forms", "grams" -> 8;
                    default -> 1;
                };
        var text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : " ").append(WORDS.get(random.nextInt(WORDS.size())));
        }
        boolean isOther = random.nextBoolean() && !name.equals("lang");
        return isOther ? text + " x" + random.nextInt(1_000_000) : text.toString();
    }
}
