package org.crabro.content.search.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.config.schema.MatchMode.Unit;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.Stemming;
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
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.query.GramMatch;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.query.TermSettings;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.text.Folding;
import org.crabro.text.TextAnalysis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Random texts, queries and settings of matching, against {@link NaiveTexts}. */
class TextModesTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final List<String> WORDS =
            List.of(
                    "blue", "Blues", "house", "houses", "housing", "Häuser", "haus", "fishing",
                    "fishes", "fish", "go", "going", "goes", "crème", "Straße", "日本語", "x", "ab",
                    "abab", "ba");
    private static final List<String> EXPRESSIONS =
            List.of("^b", "s$", "OU", "^ha?e?us$", "[gx]o?", "^.{2}$", "本");
    private static final List<String> SEPARATORS = List.of(" ", " ", ", ", "-", "\n", "…");
    private static final FieldType TEXTS = new FieldType.ArrayOf(Primitive.STRING);
    private static final DocumentType TYPE =
            new DocumentType(
                    "item",
                    List.of(
                            new Field("one", Primitive.STRING, true),
                            new Field("two", Primitive.STRING, true),
                            new Field("many", TEXTS, true),
                            new Field(
                                    "keys", new FieldType.WeightedSetOf(Primitive.STRING), true)));

    private final Random random = new Random(SEED);
    private final Arena arena = Arena.ofShared();

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void matchesAsOftenAsTheSpecificationSays() {
        int matchCount = 0;
        for (int round = 0; round < 60; round++) {
            Schema schema = schema();
            List<Row> rows = rows(1 + random.nextInt(60));
            List<BlockSlice> slices = slices(schema, rows);
            for (int i = 0; i < 50; i++) {
                String field = pick("one", "two", "many", "keys");
                MatchMode mode = schema.field(field).orElseThrow().matching().mode();
                TermSettings settings = settings();
                List<String> words = words(1 + random.nextInt(3));
                QueryNode tree =
                        words.size() == 1
                                ? new QueryNode.Term(field, words.getFirst(), settings)
                                : new QueryNode.Phrase(field, words, settings);
                Map<String, Integer> expected =
                        expected(
                                rows,
                                row ->
                                        NaiveTexts.occurrences(
                                                words,
                                                words.size() == 1
                                                        ? settings
                                                        : settings.with(GramMatch.PHRASE),
                                                mode,
                                                elements(row, field)));
                matchCount += expected.size();

                assertThat(search(tree, schema, slices, field))
                        .as("%s by %s, seed %d", QueryText.of(tree), mode, SEED)
                        .isEqualTo(expected);
            }
        }
        assertThat(matchCount).isGreaterThan(1_000);
    }

    @Test
    void findsWordsNearEachOtherAsTheSpecificationSays() {
        int matchCount = 0;
        for (int round = 0; round < 40; round++) {
            Schema schema = schema();
            List<Row> rows = rows(1 + random.nextInt(60));
            List<BlockSlice> slices = slices(schema, rows);
            for (int i = 0; i < 40; i++) {
                String field = pick("one", "two", "many", "keys");
                MatchMode mode = schema.field(field).orElseThrow().matching().mode().byWords();
                if (mode.affix() == Affix.SUBSTRING) {
                    continue;
                }
                var tree =
                        new QueryNode.Near(
                                field,
                                items(field, 1 + random.nextInt(3)),
                                items(field, random.nextInt(2)),
                                random.nextInt(8),
                                random.nextInt(3),
                                random.nextBoolean());
                Map<String, Integer> expected =
                        expected(
                                rows,
                                row ->
                                        elements(row, field).stream()
                                                        .anyMatch(element ->
                                                                NaiveTexts.isNear(
                                                                        tree, mode, element))
                                                ? 1
                                                : 0);
                matchCount += expected.size();

                assertThat(search(tree, schema, slices, field).keySet())
                        .as("%s by %s, seed %d", QueryText.of(tree), mode, SEED)
                        .isEqualTo(expected.keySet());
            }
        }
        assertThat(matchCount).isGreaterThan(100);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    BEST     |    | fishes  | fish    | true
                    BEST     |    | fishes  | fishing | false
                    BEST     |    | running | runs    | false
                    MULTIPLE |    | running | runs    | true
                    SHORTEST |    | running | runs    | true
                    BEST     | de | Häuser  | haus    | true
                    BEST     | en | Häuser  | haus    | false
                    BEST     | fr | mangez  | manger  | true
                    BEST     | ru | книгами | книга   | true
                    BEST     | zz | fishes  | fish    | false
                    NONE     |    | fishes  | fish    | false
                    BEST     |    | fishes  | fishes  | true
                    """)
    void findsOtherFormsOfWords(
            Stemming stemming, String language, String text, String word, boolean matches) {
        MatchMode mode = MatchMode.TEXT.with(stemming);
        TermSettings settings = TermSettings.DEFAULT.with(true, language == null ? "" : language);

        assertThat(isFound(mode, settings, text, word)).isEqualTo(matches);
        assertThat(isFound(mode, settings.with(false, settings.language()), text, word))
                .as("as it is written")
                .isEqualTo(text.equals(word));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    TOKEN | SUBSTRING | blue houses | ouse    | true
                    TOKEN | SUBSTRING | blue houses | lue hou | true
                    TOKEN | SUBSTRING | blue houses | oose    | false
                    VALUE | SUBSTRING | blue houses | ue ho   | true
                    TOKEN | WHOLE     | blue houses | ouse    | false
                    TOKEN | WHOLE     | blue houses | hou     | true
                    VALUE | WHOLE     | blue houses | hou     | false
                    TOKEN | SUFFIX    | blue houses | ouse    | false
                    """)
    void findsPrefixesAnywhereInWordsOfSubstringFields(
            Unit unit, Affix affix, String text, String word, boolean matches) {
        TermSettings prefix = TermSettings.DEFAULT.with(TermSettings.Affix.PREFIX);

        assertThat(isFound(new MatchMode(unit, affix, false), prefix, text, word))
                .isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    2 | 東京都庁   | 京都 | true
                    2 | 東京都庁   | 都京 | false
                    2 | Elephants | phant | true
                    2 | a bc      | a     | true
                    2 | ab        | a     | false
                    3 | Elephants | Elep  | true
                    3 | Elephants | eph lep | true
                    3 | Elephants | epi   | false
                    1 | abc       | cab   | true
                    """)
    void findsPartsOfWords(int size, String text, String word, boolean matches) {
        assertThat(isFound(MatchMode.TEXT.byGrams(size), TermSettings.DEFAULT, text, word))
                .isEqualTo(matches);
    }

    /** The grams of {@code abab} are ab, ba, ab; those of {@code elep} are el, le, ep. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ALL          | Elephants | elep     | true
                    ALL          | ep le el  | elep     | true
                    ALL          | Elephants | elks     | false
                    ANY          | Elephants | elks     | true
                    ANY          | Elephants | xyz      | false
                    WEAK_AND     | Elephants | elks     | true
                    WEAK_AND     | Elephants | xyz      | false
                    PHRASE       | Elephants | elep     | true
                    PHRASE       | Elephants | phant    | true
                    PHRASE       | ep le el  | elep     | false
                    PHRASE       | el le ep  | elep     | true
                    PHRASE       | el le x ep | elep    | false
                    PHRASE       | ababab    | abab     | true
                    PHRASE       | abba ab   | abab     | false
                    PHRASE       | xelelep   | elep     | true
                    PHRASE       | blue sea  | ue se    | true
                    PHRASE       | sea blue  | ue se    | false
                    NEAR         | ep le el  | elep     | true
                    NEAR         | ep x le el | elep    | false
                    NEAR         | Elephants | elep     | true
                    NEAR         | Elephants | eleph    | false
                    ORDERED_NEAR | Elephants | elep     | true
                    ORDERED_NEAR | ep le el  | elep     | false
                    ORDERED_NEAR | el x le   | el le    | true
                    ORDERED_NEAR | el x y le | el le    | false
                    ORDERED_NEAR | aba       | abab     | false
                    ORDERED_NEAR | abab      | abab     | true
                    NEAR         | aba       | abab     | true
                    ANY          | Elephants | el       | true
                    NEAR         | Elephants | el       | true
                    PHRASE       | a bc      | a        | true
                    ANY          | ab        | a        | false
                    """)
    void findsGramsByTheirMatch(GramMatch match, String text, String word, boolean matches) {
        assertThat(isFound(MatchMode.TEXT.byGrams(2), TermSettings.DEFAULT.with(match), text, word))
                .isEqualTo(matches);
    }

    /** The grams of its words follow each other, whatever the match of grams is. */
    @ParameterizedTest
    @EnumSource(GramMatch.class)
    void findsTheGramsOfAPhraseOneAfterTheOther(GramMatch match) {
        TermSettings settings = TermSettings.DEFAULT.with(match);

        assertThat(isPhraseFound(settings, "a deep sea", "ep", "sea")).isTrue();
        assertThat(isPhraseFound(settings, "sea so deep", "ep", "sea")).isFalse();
        assertThat(isPhraseFound(settings, "deep blue sea", "deep", "sea")).isFalse();
    }

    private boolean isPhraseFound(TermSettings settings, String text, String... words) {
        QueryNode tree = new QueryNode.Phrase("one", List.of(words), settings);
        return isFound(MatchMode.TEXT.byGrams(2), tree, text);
    }

    private boolean isFound(MatchMode mode, TermSettings settings, String text, String word) {
        return isFound(mode, new QueryNode.Term("one", word, settings), text);
    }

    private boolean isFound(MatchMode mode, QueryNode tree, String text) {
        Schema schema = schema(mode, mode, mode, mode);
        List<Row> rows = List.of(row(0, Map.of("one", new StringValue(text))));
        boolean byTokens =
                !search(tree, schema, List.of(slice(rows, searched(schema))), "one").isEmpty();

        assertThat(!search(tree, schema, List.of(slice(rows, SearchedTexts.NONE)), "one").isEmpty())
                .as("in blocks without tokens")
                .isEqualTo(byTokens);
        return byTokens;
    }

    private interface Occurrences {
        int in(Row row);
    }

    private static Map<String, Integer> expected(List<Row> rows, Occurrences occurrences) {
        var expected = new HashMap<String, Integer>();
        for (Row row : rows) {
            int count = occurrences.in(row);
            if (count > 0) {
                expected.put(row.id().toString(), count);
            }
        }
        return expected;
    }

    /** Returns the matching rows and, if there is one pattern, its number of occurrences. */
    private static Map<String, Integer> search(
            QueryNode tree, Schema schema, List<BlockSlice> slices, String field) {
        var fields = new QueryFields();
        Matcher matcher = Matcher.compile(tree, schema, Map.of(), fields);
        var scan =
                new BlockScan(
                        matcher,
                        fields,
                        slices,
                        List.of(),
                        new TextHitsCache(slices.size()),
                        BlockCaches.none());
        OptionalInt texts = matcher.textScan(field);
        int[] patterns = matcher.textPatterns(field);
        var counts = new HashMap<String, Integer>();
        for (int slice = 0; slice < slices.size(); slice++) {
            scan.open(slice);
            int count = scan.canMatch() ? scan.match() : 0;
            for (int i = 0; i < count; i++) {
                int row = scan.rows()[i];
                int occurrences =
                        texts.isPresent()
                                        && patterns.length == 1
                                        && !(tree instanceof QueryNode.Near)
                                ? scan.textHits(texts.getAsInt()).occurrences(patterns[0], row)
                                : 1;
                counts.put(slices.get(slice).block().id(row).toString(), occurrences);
            }
        }
        return counts;
    }

    private List<QueryNode> items(String field, int count) {
        return IntStream.range(0, count)
                .<QueryNode>mapToObj(_ ->
                        switch (random.nextInt(6)) {
                            case 0 -> new QueryNode.Phrase(field, words(2), stemmed());
                            case 1 ->
                                    new QueryNode.Regex(
                                            field, pick(EXPRESSIONS), TermSettings.DEFAULT);
                            case 2 ->
                                    new QueryNode.Fuzzy(
                                            field,
                                            pick(WORDS),
                                            random.nextInt(3),
                                            random.nextInt(3),
                                            random.nextInt(3) == 0,
                                            TermSettings.DEFAULT);
                            default -> new QueryNode.Term(field, pick(WORDS), stemmed());
                        })
                .toList();
    }

    private TermSettings stemmed() {
        return TermSettings.DEFAULT.with(random.nextInt(4) > 0, pick("", "", "en-US", "de"));
    }

    private TermSettings settings() {
        TermSettings.Affix affix =
                random.nextInt(3) > 0
                        ? TermSettings.Affix.FIELD
                        : pick(TermSettings.Affix.values());
        return stemmed().with(affix).with(pick(GramMatch.values()));
    }

    private List<String> words(int count) {
        return IntStream.range(0, count).mapToObj(_ -> word()).toList();
    }

    /** Returns a word, a part of one, or two words that the field must separate. */
    private String word() {
        String word = pick(WORDS);
        return switch (random.nextInt(6)) {
            case 0 -> word.substring(0, 1 + random.nextInt(word.length()));
            case 1 -> word + pick(SEPARATORS) + pick(WORDS);
            default -> word;
        };
    }

    private Schema schema() {
        return schema(mode(), mode(), mode(), mode());
    }

    private static Schema schema(MatchMode... modes) {
        var fields = new LinkedHashMap<String, SchemaField>();
        for (Field field : TYPE.fields()) {
            fields.put(
                    field.name(),
                    new SchemaField(
                            field,
                            Set.of(Aspect.INDEX),
                            modes[fields.size()],
                            DistanceMetric.EUCLIDEAN,
                            new IndexingScript(List.of())));
        }
        return new Schema("item", TYPE, fields);
    }

    private MatchMode mode() {
        boolean cased = random.nextInt(5) == 0;
        var mode =
                new MatchMode(
                        random.nextInt(4) > 0 ? Unit.TOKEN : Unit.VALUE,
                        random.nextInt(3) > 0 ? Affix.WHOLE : pick(Affix.values()),
                        cased);
        MatchMode cut = random.nextInt(3) == 0 ? mode.upTo(1 + random.nextInt(20)) : mode;
        if (mode.unit() == Unit.VALUE || cased) {
            return cut;
        }
        return random.nextInt(4) == 0
                ? cut.byGrams(1 + random.nextInt(3))
                : cut.with(pick(Stemming.values()));
    }

    private List<BlockSlice> slices(Schema schema, List<Row> rows) {
        var slices = new ArrayList<BlockSlice>();
        for (int from = 0; from < rows.size(); ) {
            int to = Math.min(rows.size(), from + 1 + random.nextInt(30));
            // As they are written now, before there was a schema, and with other folding.
            SearchedTexts texts =
                    switch (random.nextInt(4)) {
                        case 0 -> SearchedTexts.NONE;
                        case 1 -> new SearchedTexts(Map.of("one", Folding.CASE));
                        default -> searched(schema);
                    };
            slices.add(slice(rows.subList(from, to), texts));
            from = to;
        }
        return slices;
    }

    private BlockSlice slice(List<Row> rows, SearchedTexts texts) {
        return new BlockSlice(
                new BlockWriter(TYPE, texts).write(rows, arena),
                0,
                rows.size(),
                DeadRows.of(new int[0]));
    }

    private static SearchedTexts searched(Schema schema) {
        var foldings = new HashMap<String, TextAnalysis>();
        for (SchemaField field : schema.fields().values()) {
            if (field.matching().mode().unit() == Unit.TOKEN) {
                foldings.put(field.field().name(), field.matching().mode().folding());
            }
        }
        return new SearchedTexts(foldings);
    }

    private static List<String> elements(Row row, String field) {
        return switch (row.fields().get(field)) {
            case null -> List.of();
            case FieldValue.ArrayValue(var elements) ->
                    elements.stream().map(each -> ((StringValue) each).value()).toList();
            case FieldValue.WeightedSetValue(var weights) ->
                    weights.keySet().stream().map(each -> ((StringValue) each).value()).toList();
            case FieldValue value -> List.of(((StringValue) value).value());
        };
    }

    private List<Row> rows(int count) {
        var rows = new ArrayList<Row>();
        for (int i = 0; i < count; i++) {
            var fields = new LinkedHashMap<String, FieldValue>();
            fields.put("one", text(9));
            if (random.nextInt(4) > 0) {
                fields.put("two", text(2));
                fields.put(
                        "many",
                        new FieldValue.ArrayValue(
                                IntStream.range(0, random.nextInt(4))
                                        .<FieldValue>mapToObj(_ -> text(4))
                                        .toList()));
                var weights = new LinkedHashMap<FieldValue, Integer>();
                for (int keys = random.nextInt(4); keys > 0; keys--) {
                    weights.put(text(4), random.nextInt());
                }
                fields.put("keys", new FieldValue.WeightedSetValue(weights));
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

    private FieldValue text(int most) {
        var text = new StringBuilder();
        for (int count = random.nextInt(most + 1); count > 0; count--) {
            text.append(pick(WORDS)).append(count > 1 ? pick(SEPARATORS) : "");
        }
        return new StringValue(text.toString());
    }

    @SafeVarargs
    private <T> T pick(T... values) {
        return values[random.nextInt(values.length)];
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
