package org.crabro.content.search.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that positions of words are the same in blocks with all tokens, with some and with none.
 */
class TextPositionsTest {
    private static final List<String> WORDS =
            List.of("blue", "blues", "house", "houses", "go", "abab", "ab", "日本語", "Straße", "x");

    /** Longer than the words that dictionaries store completely. */
    private static final String LONG = "long".repeat(200);

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    FIELD     | house  | a house, two houses  | 1
                    PREFIX    | house  | a house, two houses  | 1 3
                    SUFFIX    | uses   | a house, two houses  | 3
                    SUBSTRING | ous    | a house, two houses  | 1 3
                    SUBSTRING | a      | a banana split       | 0 1 1 1
                    SUBSTRING | e, tw  | a house, two houses  | 0
                    """)
    void areThoseOfTheWords(TermSettings.Affix affix, String word, String text, String places) {
        var tree = new QueryNode.Term("one", word, TermSettings.DEFAULT.with(affix));

        List<String> expected =
                List.of(places.split(" ", -1)).stream().map(place -> "0: 0 at " + place).toList();
        assertThat(positions(tree, MatchMode.TEXT, List.of(List.of(text)), true))
                .isEqualTo(expected);
        assertThat(positions(tree, MatchMode.TEXT, List.of(List.of(text)), false))
                .isEqualTo(expected);
    }

    @Test
    void areTheSameWithAndWithoutCachedWords() {
        int matchCount = 0;
        for (int round = 0; round < 1_500; round++) {
            MatchMode mode =
                    random.nextInt(4) == 0
                            ? MatchMode.TEXT.byGrams(1 + random.nextInt(3))
                            : MatchMode.TEXT.with(pick(List.of(Stemming.values())));
            TermSettings settings =
                    TermSettings.DEFAULT
                            .with(pick(List.of(TermSettings.Affix.values())))
                            .with(pick(List.of(GramMatch.values())));
            QueryNode tree =
                    random.nextInt(3) > 0
                            ? new QueryNode.Term("one", word(), settings)
                            : new QueryNode.Phrase("one", List.of(word(), word()), settings);
            List<List<String>> rows =
                    IntStream.range(0, 1 + random.nextInt(6)).mapToObj(_ -> texts()).toList();

            List<String> cached = positions(tree, mode, rows, true);

            matchCount += cached.size();
            assertThat(positions(tree, mode, rows, false))
                    .as("%s by %s in %s, seed %d", QueryText.of(tree), mode, rows, seed)
                    .isEqualTo(cached);
        }
        assertThat(matchCount).isGreaterThan(1_000);
    }

    /** Returns each position: the row, the element and the word. */
    private static List<String> positions(
            QueryNode tree, MatchMode mode, List<List<String>> texts, boolean keepsWords) {
        var field = new Field("one", new FieldType.ArrayOf(Primitive.STRING), true);
        var type = new DocumentType("item", List.of(field));
        var schema =
                new Schema(
                        "item",
                        type,
                        Map.of(
                                "one",
                                new SchemaField(
                                        field,
                                        Set.of(Aspect.INDEX),
                                        mode,
                                        DistanceMetric.EUCLIDEAN,
                                        new IndexingScript(List.of()))));
        var searched =
                keepsWords ? new SearchedTexts(Map.of("one", mode.folding())) : SearchedTexts.NONE;
        var rows = new ArrayList<Row>();
        for (int i = 0; i < texts.size(); i++) {
            var elements = texts.get(i).stream().<FieldValue>map(StringValue::new).toList();
            rows.add(
                    new Row(
                            DocumentId.parse("id:a:item:g=g:" + i),
                            1,
                            type.fingerprint(),
                            false,
                            Map.of("one", new FieldValue.ArrayValue(elements))));
        }
        rows.sort(Comparator.comparing(row -> RowKey.of(row.id())));
        try (var arena = Arena.ofConfined()) {
            var block = new BlockWriter(type, searched).write(rows, arena);
            var slice = new BlockSlice(block, 0, rows.size(), DeadRows.NONE);
            var fields = new QueryFields();
            Matcher matcher = Matcher.compile(tree, schema, Map.of(), fields);
            return matcher.textScan("one").isEmpty()
                    ? List.of()
                    : positions(
                            matcher,
                            new BlockScan(
                                    matcher,
                                    fields,
                                    List.of(slice),
                                    List.of(),
                                    new TextHitsCache(1),
                                    BlockCaches.none()));
        }
    }

    private static List<String> positions(Matcher matcher, BlockScan scan) {
        scan.open(0);
        TextPositions places = scan.textPositions(matcher.textScan("one").orElseThrow());
        var positions = new ArrayList<String>();
        for (int row = 0; row < scan.slice().to(); row++) {
            places.read(row);
            for (int pattern : matcher.textPatterns("one")) {
                for (int i = 0; i < places.count(pattern); i++) {
                    positions.add(
                            "%d: %d at %d"
                                    .formatted(
                                            row,
                                            places.element(pattern, i),
                                            places.place(pattern, i)));
                }
            }
        }
        return positions;
    }

    private List<String> texts() {
        return IntStream.range(0, random.nextInt(3)).mapToObj(_ -> text()).toList();
    }

    private String text() {
        var text = new StringBuilder();
        for (int count = random.nextInt(9); count > 0; count--) {
            text.append(random.nextInt(30) == 0 ? LONG : pick(WORDS))
                    .append(pick(List.of(" ", ", ", "-", "")));
        }
        return text.toString();
    }

    /** A word, or a part of one. */
    private String word() {
        String word = random.nextInt(20) == 0 ? "ngl" : pick(WORDS);
        return word.substring(0, 1 + random.nextInt(word.length()));
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
