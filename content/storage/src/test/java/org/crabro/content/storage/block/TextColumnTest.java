package org.crabro.content.storage.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.ColumnReader;
import org.crabro.content.storage.block.column.Presence;
import org.crabro.content.storage.block.column.TextFrames;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.block.key.RowKeyBuffer;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.RunBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.content.storage.layout.ChunkExtent;
import org.crabro.content.storage.os.Residency;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.encoding.Row;
import org.crabro.text.Folding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Strings in blocks of files: raw, coded or compressed. */
class TextColumnTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private static final DocumentType TYPE =
            new DocumentType(
                    "text",
                    List.of(
                            new Field("one", FieldType.Primitive.STRING, true),
                            new Field(
                                    "many",
                                    new FieldType.ArrayOf(FieldType.Primitive.STRING),
                                    true)));

    private final Random random = new Random(SEED);
    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void codesStringsOfWhichFewAreDistinct() {
        List<String> words = List.of("weiß", "", "rot", "Rot", "blau");
        List<Row> rows = rows(200, i -> words.get(i % 5));

        Column column = roundTrip(rows).column("one").orElseThrow();

        assertThat(column)
                .isInstanceOfSatisfying(
                        Column.CodedTexts.class,
                        coded -> {
                            assertThat(values(coded))
                                    .isEqualTo(List.of("", "Rot", "blau", "rot", "weiß"));
                            assertThat(coded.codeSize()).isEqualTo(1);
                        });
    }

    @Test
    void codesElementsInAsManyBytesAsTheirNumberNeeds() {
        for (int distinct : new int[] {2, 256, 257, 65_536, 65_537}) {
            List<Row> rows =
                    elementRows(
                            8,
                            row ->
                                    IntStream.range(0, distinct)
                                            .filter(i -> (i + row) % 2 == 0)
                                            .mapToObj(i -> "some value " + i)
                                            .toList());

            Column column = roundTrip(rows).column("many").orElseThrow();

            int size = distinct <= 256 ? 1 : distinct <= 65_536 ? 2 : 4;
            assertThat(((Column.Arrays) column).elements())
                    .isInstanceOfSatisfying(
                            Column.CodedTexts.class,
                            coded -> {
                                assertThat(coded.valueCount()).isEqualTo(distinct);
                                assertThat(coded.codeSize()).isEqualTo(size);
                                assertThat(values(coded)).isSorted();
                            });
        }
    }

    @Test
    void compressesLongStringsInFrames() {
        List<Row> rows = rows(100, i -> sentence(i * 20));

        EncodedBlock block = roundTrip(rows);

        Column column = block.column("one").orElseThrow();
        assertThat(column).isInstanceOf(Column.FramedTexts.class);
        long raw = rows.stream().mapToLong(row -> text(row).getBytes(UTF_8).length).sum();
        assertThat(column.byteSize()).isLessThan(raw - raw / 8);
        readsInAnyOrder((Column.FramedTexts) column, rows);
    }

    @Test
    void compressesAStringLargerThanAFrameAndEmptyOnesBehindIt() {
        String large = sentence(40_000);
        List<Row> rows = rows(20, i -> i < 3 ? "first" : i == 3 ? large : i < 9 ? "next" : "");

        Column column = roundTrip(rows).column("one").orElseThrow();

        assertThat(column).isInstanceOf(Column.FramedTexts.class);
        readsInAnyOrder((Column.FramedTexts) column, rows);
    }

    @Test
    void leavesAsItIsWhatDoesNotGetSmaller() {
        List<Row> rows = rows(300, _ -> noise(60));

        assertThat(roundTrip(rows).column("one").orElseThrow()).isInstanceOf(Column.RawTexts.class);
    }

    @Test
    void keepsNoncompressibleFramesAmongOthers() {
        List<Row> rows = rows(60, i -> i / 20 == 1 ? noise(2_000) : sentence(500));

        Column column = roundTrip(rows).column("one").orElseThrow();

        assertThat(column).isInstanceOf(Column.FramedTexts.class);
        readsInAnyOrder((Column.FramedTexts) column, rows);
    }

    @Test
    void codesNoTextThatIsSearchedByWords() {
        List<Row> rows = rows(200, i -> "word " + i % 3);
        var writer = new BlockWriter(TYPE, new SearchedTexts(Map.of("one", Folding.ACCENTS)));

        EncodedBlock block = writer.write(rows, arena);

        assertThat(block.column("one").orElseThrow()).isInstanceOf(Column.FramedTexts.class);
    }

    @Test
    void givesBackWhateverIsWritten() {
        for (int round = 0; round < 300; round++) {
            int words = 1 + random.nextInt(50);
            int length = 1 + random.nextInt(300);
            List<String> texts =
                    Stream.generate(() -> random.nextInt(4) == 0 ? noise(length) : sentence(length))
                            .limit(words)
                            .toList();
            List<Row> rows = new ArrayList<>();
            for (int i = 1 + random.nextInt(60); i > 0; i--) {
                var elements = new ArrayList<FieldValue>();
                for (int j = random.nextInt(4); j > 0; j--) {
                    elements.add(
                            new FieldValue.StringValue(texts.get(random.nextInt(texts.size()))));
                }
                var one = new FieldValue.StringValue(texts.get(random.nextInt(texts.size())));
                var many = new FieldValue.ArrayValue(elements);
                rows.add(
                        row(
                                i,
                                switch (random.nextInt(4)) {
                                    case 0 -> Map.of();
                                    case 1 -> Map.of("one", one);
                                    case 2 -> Map.of("many", many);
                                    default -> Map.of("one", one, "many", many);
                                }));
            }
            sort(rows);

            roundTrip(rows);
        }
    }

    @Test
    void detectsChangedFrames() {
        List<Row> rows = rows(40, _ -> sentence(1_500));
        EncodedBlock block = new BlockWriter(TYPE, SearchedTexts.NONE).write(rows, arena);
        ChunkExtent chunk = block.extents("one").getFirst();
        byte[] whole =
                block.bytes()
                        .asSlice(chunk.offset(), chunk.length())
                        .toArray(ValueLayout.JAVA_BYTE);
        int starts = 4 * (rows.size() + 1);
        int refused = 0;
        for (int i = 0; i < 3_000; i++) {
            byte[] damaged = whole.clone();
            int at = starts + random.nextInt(i % 2 == 0 ? 40 : damaged.length - starts);
            damaged[at] = (byte) random.nextInt();
            try {
                readAll(damaged, starts, rows.size());
            } catch (CorruptRunException e) {
                assertThat(e)
                        .as("byte %d, seed %d", at, SEED)
                        .hasMessageMatching("(?s)the file at \\d+: expected .+, found .+");
                refused++;
            }
        }
        assertThat(refused).as("seed %d", SEED).isGreaterThan(300);
    }

    @Test
    void detectsATruncatedChunk() {
        List<Row> rows = rows(40, _ -> sentence(1_500));
        EncodedBlock block = new BlockWriter(TYPE, SearchedTexts.NONE).write(rows, arena);
        ChunkExtent chunk = block.extents("one").getFirst();
        var reader = new ColumnReader(block.bytes(), origin());

        for (long length = 0; length < 4L * rows.size() + 20; length++) {
            long cut = length;
            assertThatExceptionOfType(CorruptRunException.class)
                    .isThrownBy(() ->
                            reader.column(
                                    FieldType.Primitive.STRING,
                                    ChunkEncoding.FRAMED_TEXT,
                                    chunk.offset(),
                                    cut,
                                    rows.size(),
                                    new Presence.Every()));
        }
    }

    private static void readAll(byte[] chunk, int starts, int count) {
        MemorySegment bytes = MemorySegment.ofArray(chunk);
        var frames = new TextFrames(bytes.asSlice(0, starts), bytes.asSlice(starts), origin(), 100);
        var column = new Column.FramedTexts(bytes.asSlice(0, starts), frames, new Presence.Every());
        var reader = new TextReader();
        for (int i = 0; i < count; i++) {
            reader.read(column, i);
            reader.bytes().asSlice(reader.offset(), reader.length());
        }
    }

    private static BlockOrigin origin() {
        var file = new RunBytes("the file", MemorySegment.NULL, Residency.ALWAYS);
        return BlockOrigin.file(file, 4_096, TYPE, BlockMarks.none(TYPE, 4_096, 1));
    }

    /** Returns the block, after its rows were read back and copied from block to block. */
    private EncodedBlock roundTrip(List<Row> rows) {
        EncodedBlock inMemory = BlockWriter.write(rows, TYPE, arena);
        EncodedBlock first = new BlockWriter(TYPE, SearchedTexts.NONE).write(rows, arena);
        EncodedBlock second = copy(first, new BlockWriter(TYPE, SearchedTexts.NONE));
        EncodedBlock third = copy(second, new BlockWriter(TYPE));

        for (int row = 0; row < rows.size(); row++) {
            assertThat(first.row(row)).as("row %d, seed %d", row, SEED).isEqualTo(rows.get(row));
        }
        assertThat(bytes(second)).isEqualTo(bytes(first));
        assertThat(bytes(third)).isEqualTo(bytes(inMemory));
        return first;
    }

    private EncodedBlock copy(EncodedBlock block, BlockWriter writer) {
        var copies = new RowCopies(TYPE, _ -> false);
        var key = new RowKeyBuffer();
        for (int row = 0; row < block.rowCount(); row++) {
            key.set(block.keys(), row);
            writer.add(key, copies.of(block).encode(block, row));
        }
        return writer.finish(arena);
    }

    private static byte[] bytes(EncodedBlock block) {
        return block.bytes().toArray(ValueLayout.JAVA_BYTE);
    }

    private void readsInAnyOrder(Column.FramedTexts column, List<Row> rows) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, rows.size()).boxed().toList());
        Collections.shuffle(order, random);
        var reader = new TextReader();
        for (int row : order) {
            reader.read(column, row);
            assertThat(
                            BlockLayout.text(
                                    reader.bytes(),
                                    reader.offset(),
                                    reader.offset() + reader.length()))
                    .isEqualTo(text(rows.get(row)));
        }
    }

    private static List<String> values(Column.CodedTexts column) {
        var reader = new TextReader();
        var values = new ArrayList<String>();
        for (int code = 0; code < column.valueCount(); code++) {
            reader.readValue(column, code);
            values.add(
                    BlockLayout.text(
                            reader.bytes(), reader.offset(), reader.offset() + reader.length()));
        }
        return values;
    }

    private static String text(Row row) {
        return row.fields().get("one") instanceof FieldValue.StringValue(String text) ? text : "";
    }

    private static List<Row> rows(int count, IntFunction<String> text) {
        var rows = new ArrayList<Row>();
        for (int i = 0; i < count; i++) {
            rows.add(row(i, Map.of()));
        }
        sort(rows);
        for (int i = 0; i < count; i++) {
            Row row = rows.get(i);
            rows.set(
                    i,
                    new Row(
                            row.id(),
                            row.timestamp(),
                            row.fingerprint(),
                            false,
                            Map.of("one", new FieldValue.StringValue(text.apply(i)))));
        }
        return rows;
    }

    private static List<Row> elementRows(int count, IntFunction<List<String>> texts) {
        var rows = new ArrayList<Row>();
        for (int i = 0; i < count; i++) {
            List<FieldValue> elements =
                    texts.apply(i).stream().<FieldValue>map(FieldValue.StringValue::new).toList();
            rows.add(row(i, Map.of("many", new FieldValue.ArrayValue(elements))));
        }
        sort(rows);
        return rows;
    }

    private static Row row(int number, Map<String, FieldValue> fields) {
        var id = new DocumentId("t", "text", new LocationKey.Group("g"), "d" + number);
        return new Row(id, number, TYPE.fingerprint(), false, fields);
    }

    private static void sort(List<Row> rows) {
        rows.sort(Comparator.comparing(row -> RowKey.of(row.id())));
    }

    private String sentence(int length) {
        var text = new StringBuilder();
        while (text.length() < length) {
            text.append("the cat sat on the mat and so did ").append(random.nextInt(1_000));
        }
        return text.substring(0, length);
    }

    private String noise(int length) {
        var text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) (' ' + random.nextInt(5_000)));
        }
        return text.toString();
    }
}
