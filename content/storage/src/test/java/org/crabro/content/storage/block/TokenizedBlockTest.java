package org.crabro.content.storage.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.block.key.RowKeyBuffer;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.layout.ChunkExtent;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.partition.LeakCheckedFiles;
import org.crabro.content.storage.partition.RandomRows;
import org.crabro.content.storage.partition.RunLog;
import org.crabro.content.storage.run.RunView;
import org.crabro.content.storage.run.SearchedTypes;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.text.Folding;
import org.crabro.text.TextAnalysis;
import org.crabro.text.Tokenizer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tokens of searched texts in blocks and runs. */
class TokenizedBlockTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final SearchedTexts TEXTS =
            new SearchedTexts(
                    Map.of(
                            "subject",
                            Folding.ACCENTS,
                            "to",
                            Folding.ACCENTS,
                            "tags",
                            Folding.ACCENTS,
                            "size",
                            Folding.NONE));

    private static final DocumentType TAGGED =
            new DocumentType(
                    "tagged",
                    List.of(
                            new Field(
                                    "tags",
                                    new FieldType.WeightedSetOf(FieldType.Primitive.STRING),
                                    true),
                            new Field(
                                    "size",
                                    new FieldType.WeightedSetOf(FieldType.Primitive.INT),
                                    true)));

    @RegisterExtension final LeakCheckedFiles files = new LeakCheckedFiles();

    private final RandomRows random = new RandomRows(SEED, 200);
    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void keepsTheTokensOfSearchedTextsBesideThem() {
        for (int count : new int[] {20, 300}) {
            List<Row> rows = random.rows(RandomRows.MAIL, count);

            EncodedBlock block = write(rows, RandomRows.MAIL, TEXTS);

            for (int row = 0; row < rows.size(); row++) {
                assertThat(block.row(row)).isEqualTo(rows.get(row));
            }
            for (String field : List.of("subject", "to")) {
                assertThat(words(block, field))
                        .as("%s, seed %d", field, SEED)
                        .isEqualTo(expected(rows, field));
            }
        }
    }

    @Test
    void keepsNoTokensOfOtherFields() {
        List<Row> rows = random.rows(RandomRows.LATER_MAIL, 50);
        EncodedBlock block = write(rows, RandomRows.LATER_MAIL, TEXTS);
        EncodedBlock unknown = BlockWriter.write(rows, RandomRows.LATER_MAIL, arena);

        for (String field : List.of("label", "size", "unknown")) {
            assertThat(block.tokenDictionary(field)).as(field).isEmpty();
            assertThat(block.tokenNumbers(field)).as(field).isEmpty();
        }
        assertThat(unknown.tokenDictionary("subject")).isEmpty();
        assertThat(block.extents("subject"))
                .extracting(ChunkExtent::part)
                .containsExactly(
                        ChunkExtent.Part.VALUES,
                        ChunkExtent.Part.TOKEN_DICTIONARY,
                        ChunkExtent.Part.TOKEN_NUMBERS);
    }

    /** Also if they are computed at first use. */
    @Test
    void keepsTheTokensOfKeysWithTheirWeights() {
        List<Row> rows = random.rows(TAGGED, 300);

        EncodedBlock block = write(rows, TAGGED, TEXTS);
        EncodedBlock late =
                BlockWriter.write(rows, TAGGED, arena).withTokens(TEXTS, arena, _ -> {});

        for (EncodedBlock each : List.of(block, late)) {
            assertThat(words(each, "tags")).as("seed %d", SEED).isEqualTo(expected(rows, "tags"));
            assertThat(keys(each)).as("seed %d", SEED).isEqualTo(expectedKeys(rows));
            assertThat(each.tokenNumbers("size")).isEmpty();
        }
        assertThat(block.lacksTokens(TEXTS)).isFalse();
        assertThat(write(rows, TAGGED, SearchedTexts.NONE).lacksTokens(TEXTS)).isTrue();
    }

    /** Tokens of rows that were written without tokens are computed from their keys. */
    @Test
    void copiesTokensOfKeysFromBlockToBlock() {
        List<Row> rows = random.rows(TAGGED, 300);
        EncodedBlock first = write(rows, TAGGED, TEXTS);

        for (EncodedBlock source : List.of(first, write(rows, TAGGED, SearchedTexts.NONE))) {
            EncodedBlock copy = copy(source);

            assertThat(copy.bytes().mismatch(first.bytes())).as("seed %d", SEED).isEqualTo(-1);
        }
    }

    @Test
    void copiesTokensFromBlockToBlock() {
        List<Row> rows = random.rows(RandomRows.MAIL, 400);
        EncodedBlock first = write(rows, RandomRows.MAIL, TEXTS);
        EncodedBlock texts = write(rows, RandomRows.MAIL, SearchedTexts.NONE);
        EncodedBlock cased =
                write(
                        rows,
                        RandomRows.MAIL,
                        new SearchedTexts(Map.of("subject", Folding.NONE, "to", Folding.NONE)));

        for (EncodedBlock source : List.of(first, texts, cased)) {
            EncodedBlock copy = copy(source);

            assertThat(copy.bytes().mismatch(first.bytes())).as("seed %d", SEED).isEqualTo(-1);
        }
        long accents = TextAnalysis.fingerprint(Folding.ACCENTS);
        assertThat(first.tokens(0, accents)).isPresent();
        assertThat(cased.tokens(0, accents)).isEmpty();
        assertThat(texts.tokens(0, accents)).isEmpty();
    }

    @Test
    void detectsAChangeOfEachByteOfTokens() throws IOException {
        String run = "partitions/00/1.run";
        List<Row> rows = random.rows(RandomRows.NOTE, 12);
        var texts = new SearchedTexts(Map.of("text", Folding.ACCENTS));
        try (RunLog log =
                RunLog.open(files, "partitions/00", new SearchedTypes(RandomRows.TYPES, texts))) {
            log.add(
                    writer -> {
                        writer.begin(RandomRows.NOTE);
                        for (Row row : rows) {
                            writer.add(RowKey.of(row.id()), RandomRows.encoded(row));
                        }
                    },
                    1,
                    1,
                    1);
        }
        EncodedBlock written = write(rows, RandomRows.NOTE, texts);
        for (ChunkExtent extent : written.extents("text")) {
            for (long at = extent.offset(); at < extent.offset() + extent.length(); at += 3) {
                int offset = Math.toIntExact(RunLayout.HEADER_SIZE + at);
                files.flip(run, offset, 1);

                assertThatExceptionOfType(CorruptRunException.class)
                        .as("%s, byte %d, seed %d", extent.part(), offset, SEED)
                        .isThrownBy(this::touchTexts)
                        .withMessageContaining("column 'text' as ");

                files.flip(run, offset, 1);
            }
        }
        touchTexts();
    }

    private EncodedBlock write(List<Row> rows, DocumentType type, SearchedTexts texts) {
        return new BlockWriter(type, texts).write(rows, arena);
    }

    private void touchTexts() throws IOException {
        try (RunLog log = RunLog.open(files, "partitions/00", RandomRows.TYPES);
                RunView view = log.acquire()) {
            EncodedBlock block = view.slices("note", new KeyRange.Everything()).getFirst().block();
            assertThat(block.column("text")).isPresent();
            assertThat(block.tokenDictionary("text")).isPresent();
            assertThat(block.tokenNumbers("text")).isPresent();
        }
    }

    private EncodedBlock copy(EncodedBlock block) {
        var writer = new BlockWriter(block.documentType(), TEXTS);
        var copy = new RowCopy(block.documentType());
        var key = new RowKeyBuffer();
        for (int row = 0; row < block.rowCount(); row++) {
            key.set(block.keys(), row);
            MemorySegment encoded = copy.encodeWithoutKey(block, row, key);
            writer.copy(key, encoded, copy, block, row);
        }
        return writer.finish(arena);
    }

    private static List<List<String>> words(EncodedBlock block, String field) {
        TokenDictionary dictionary = block.tokenDictionary(field).orElseThrow();
        TokenNumbers numbers = block.tokenNumbers(field).orElseThrow();
        List<String> tokens = new ArrayList<>();
        TokenDictionary.Cursor cursor = dictionary.cursor();
        while (cursor.next()) {
            tokens.add(new String(Arrays.copyOf(cursor.buffer(), cursor.length()), UTF_8));
        }
        List<List<String>> words = new ArrayList<>();
        for (int row = 0; row < block.rowCount(); row++) {
            List<String> ofRow = new ArrayList<>();
            for (int at = numbers.rowStart(row); at < numbers.rowStart(row + 1); at++) {
                ofRow.add(tokens.get(numbers.number(at)));
            }
            words.add(ofRow);
        }
        return words;
    }

    /** Returns the number of words and the weight of each key, row by row. */
    private static List<List<String>> keys(EncodedBlock block) {
        TokenNumbers numbers = block.tokenNumbers("tags").orElseThrow();
        return IntStream.range(0, block.rowCount())
                .mapToObj(row ->
                        IntStream.range(numbers.elementFrom(row), numbers.elementTo(row))
                                .mapToObj(key ->
                                        "%d words weigh %d"
                                                .formatted(
                                                        numbers.wordTo(key) - numbers.wordFrom(key),
                                                        numbers.weight(key)))
                                .toList())
                .toList();
    }

    private static List<List<String>> expectedKeys(List<Row> rows) {
        return rows.stream()
                .map(row ->
                        row.fields().get("tags") instanceof FieldValue.WeightedSetValue(var weights)
                                ? weights.entrySet().stream()
                                        .map(each ->
                                                "%d words weigh %d"
                                                        .formatted(
                                                                tokens(each.getKey()).size(),
                                                                each.getValue()))
                                        .toList()
                                : List.<String>of())
                .toList();
    }

    private static List<List<String>> expected(List<Row> rows, String field) {
        return rows.stream()
                .map(row -> Optional.ofNullable(row.fields().get(field)))
                .map(value -> value.map(TokenizedBlockTest::tokens).orElse(List.of()))
                .toList();
    }

    private static List<String> tokens(FieldValue value) {
        return switch (value) {
            case FieldValue.StringValue(String text) -> Tokenizer.tokens(text);
            case FieldValue.ArrayValue(var elements) ->
                    elements.stream().flatMap(element -> tokens(element).stream()).toList();
            case FieldValue.WeightedSetValue(var weights) ->
                    weights.keySet().stream().flatMap(key -> tokens(key).stream()).toList();
            default -> throw new IllegalArgumentException(value.toString());
        };
    }
}
