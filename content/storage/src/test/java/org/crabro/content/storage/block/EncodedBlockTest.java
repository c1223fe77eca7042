package org.crabro.content.storage.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.Presence;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.block.key.RowKeyBuffer;
import org.crabro.content.storage.layout.ChunkExtent;
import org.crabro.content.storage.layout.NumberBounds;
import org.crabro.content.storage.partition.RandomRows;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EncodedBlockTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private final RandomRows random = new RandomRows(SEED);
    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void givesBackTheRowsThatWereWritten() {
        for (int count : new int[] {1, 2, 7, 8, 9, 300}) {
            List<Row> rows = random.rows(RandomRows.MAIL, count);

            EncodedBlock block = BlockWriter.write(rows, RandomRows.MAIL, arena);

            assertThat(block.rowCount()).isEqualTo(rows.size());
            for (int row = 0; row < rows.size(); row++) {
                assertThat(block.row(row))
                        .as("row %d, seed %d", row, SEED)
                        .isEqualTo(rows.get(row));
                assertThat(block.id(row)).isEqualTo(rows.get(row).id());
                assertThat(block.timestamp(row)).isEqualTo(rows.get(row).timestamp());
                assertThat(block.isTombstone(row)).isEqualTo(rows.get(row).tombstone());
            }
        }
    }

    @Test
    void findsEveryKeyAndNoOther() {
        List<Row> rows = random.rows(RandomRows.MAIL, 200);
        EncodedBlock block = BlockWriter.write(rows, RandomRows.MAIL, arena);

        for (int row = 0; row < rows.size(); row++) {
            assertThat(block.find(RowKey.of(rows.get(row).id()))).isEqualTo(row);
        }
        for (int i = 0; i < 200; i++) {
            DocumentId other =
                    new DocumentId("other", "mail", random.id(RandomRows.MAIL, 9).key(), "d" + i);
            assertThat(block.find(RowKey.of(other))).isEqualTo(-1);
        }
    }

    @Test
    void givesTheRowsOfAGroupAndNoOthers() {
        List<Row> rows = random.rows(RandomRows.MAIL, 300);
        EncodedBlock block = BlockWriter.write(rows, RandomRows.MAIL, arena);

        for (String group : List.of("user0", "user1", "user2", "nobody")) {
            var range = new KeyRange.Group(group);
            assertThat(rows.subList(block.from(range), block.to(range)))
                    .as("group %s, seed %d", group, SEED)
                    .isEqualTo(
                            rows.stream()
                                    .filter(row -> row.id().key().text().equals("g=" + group))
                                    .toList());
        }
        for (long number = 0; number < 4; number++) {
            var range = new KeyRange.Numbered(number);
            String text = "n=" + number;
            assertThat(rows.subList(block.from(range), block.to(range)))
                    .as("number %d, seed %d", number, SEED)
                    .isEqualTo(
                            rows.stream()
                                    .filter(row -> row.id().key().text().equals(text))
                                    .toList());
        }
        assertThat(block.from(new KeyRange.Everything())).isZero();
        assertThat(block.to(new KeyRange.Everything())).isEqualTo(rows.size());
    }

    @Test
    void keepsAGroupApartFromAPlainIdAtItsLocation() {
        List<Row> rows = new ArrayList<>();
        for (String id : List.of("id:a:mail::user0", "id:a:mail:g=user0:x", "id:b:mail::user0")) {
            rows.add(random.put(DocumentId.parse(id), RandomRows.MAIL));
        }
        rows.sort((left, right) -> RowKey.of(left.id()).compareTo(RowKey.of(right.id())));

        EncodedBlock block = BlockWriter.write(rows, RandomRows.MAIL, arena);

        var range = new KeyRange.Group("user0");
        assertThat(block.to(range) - block.from(range)).isEqualTo(1);
        assertThat(block.id(block.from(range)).toString()).isEqualTo("id:a:mail:g=user0:x");
    }

    @Test
    void comparesIdsAsTheirBytesDo() {
        List<Row> left = random.rows(RandomRows.MAIL, 40);
        List<Row> right = random.rows(RandomRows.NOTE, 40);
        EncodedBlock one = BlockWriter.write(left, RandomRows.MAIL, arena);
        EncodedBlock other = BlockWriter.write(right, RandomRows.NOTE, arena);

        for (int i = 0; i < left.size(); i++) {
            for (int j = 0; j < right.size(); j++) {
                assertThat(Integer.signum(one.compareIds(i, other, j)))
                        .isEqualTo(Integer.signum(bytes(left.get(i), right.get(j))));
            }
            assertThat(one.compareIds(i, one, i)).isZero();
        }
    }

    @Test
    void ordersKeysInPlaceAsSortKeysDo() {
        List<Row> left = random.rows(RandomRows.MAIL, 60);
        List<Row> right = random.rows(RandomRows.MAIL, 60);
        KeyColumn one = BlockWriter.write(left, RandomRows.MAIL, arena).keys();
        KeyColumn other = BlockWriter.write(right, RandomRows.MAIL, arena).keys();

        for (int i = 0; i < left.size(); i++) {
            RowKey key = RowKey.of(left.get(i).id());
            for (int j = 0; j < right.size(); j++) {
                int expected = Integer.signum(key.compareTo(RowKey.of(right.get(j).id())));
                assertThat(Integer.signum(one.compare(i, other, j))).isEqualTo(expected);
                assertThat(Integer.signum(other.compare(j, key))).isEqualTo(-expected);
            }
            for (int from = 0; from <= right.size(); from++) {
                int target = Math.max(from, other.firstNotBefore(0, key));
                assertThat(other.firstNotBefore(from, one, i)).isEqualTo(target);
            }
        }
    }

    @Test
    void alignsWideColumnsToCacheLines() {
        TensorType wide = TensorType.parse("tensor<float>(x[384])");
        DocumentType type =
                new DocumentType(
                        "wide", List.of(new Field("v", new FieldType.TensorOf(wide), true)));
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            double[] cells = new double[384];
            Arrays.fill(cells, i);
            rows.add(
                    new Row(
                            DocumentId.parse("id:a:wide:g=g:" + i),
                            i,
                            type.fingerprint(),
                            false,
                            Map.of("v", new FieldValue.TensorValue(DenseTensor.of(wide, cells)))));
        }
        rows.sort((left, right) -> RowKey.of(left.id()).compareTo(RowKey.of(right.id())));

        EncodedBlock block = BlockWriter.write(rows, type, arena);

        assertThat(block.column("v").orElseThrow())
                .isInstanceOfSatisfying(
                        Column.DenseTensors.class,
                        column -> {
                            assertThat(column.cells().address() % 64).isZero();
                            assertThat(column.cells().byteSize()).isEqualTo(5 * 384 * 4);
                            assertThat(column.presence()).isEqualTo(new Presence.Every());
                        });
    }

    @Test
    void hasNoColumnWhereNoRowHasTheField() {
        Row row =
                new Row(
                        DocumentId.parse("id:a:note::1"),
                        1,
                        RandomRows.NOTE.fingerprint(),
                        false,
                        Map.of());

        EncodedBlock block = BlockWriter.write(List.of(row), RandomRows.NOTE, arena);

        assertThat(block.column("text")).isEmpty();
        assertThat(block.column("unknown")).isEmpty();
    }

    @Test
    void refusesRowsOutOfOrderOrOfAnotherType() {
        List<Row> rows = new ArrayList<>(random.rows(RandomRows.MAIL, 10));
        Collections.reverse(rows);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockWriter.write(rows, RandomRows.MAIL, arena))
                .withMessageContaining("is not after");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockWriter.write(rows, RandomRows.NOTE, arena))
                .withMessageContaining("but type 'note' has");
    }

    @Test
    void refusesBytesThatAreNoRow() {
        Row note = random.put(DocumentId.parse("id:a:note::1"), RandomRows.NOTE);
        MemorySegment row = RandomRows.encoded(note);
        var writer = new BlockWriter(RandomRows.NOTE);

        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> writer.add(RowKey.of(note.id()), row.asSlice(0, row.byteSize() - 1)))
                .withMessageStartingWith("a row");
    }

    @Test
    void readsTheBoundsOfNumbersFromItsFirstPage() {
        List<Row> rows = random.rows(RandomRows.MAIL, 100);
        EncodedBlock block = BlockWriter.write(rows, RandomRows.MAIL, arena);

        assertThat(block.bounds("size")).contains(whole(rows, "size"));
        assertThat(block.bounds("sent")).contains(whole(rows, "sent"));
        assertThat(block.bounds("read")).contains(new NumberBounds.Whole(0, 1));
        assertThat(block.bounds("score")).contains(real(rows, "score"));
        assertThat(block.bounds("weight")).contains(real(rows, "weight"));
        assertThat(block.bounds("subject")).isEmpty();
        assertThat(block.bounds("vector")).isEmpty();
        assertThat(block.bounds("unknown")).isEmpty();
    }

    @Test
    void leavesOutOfTheBoundsWhatIsNoNumber() {
        List<Row> rows = new ArrayList<>();
        double[] weights = {Double.NaN, 3, -0.0, Double.NaN};
        for (int i = 0; i < weights.length; i++) {
            rows.add(mail(i, "weight", new FieldValue.DoubleValue(weights[i])));
        }
        rows.add(mail(4, "score", new FieldValue.FloatValue(Float.NaN)));
        rows.sort(Comparator.comparing(row -> RowKey.of(row.id())));

        EncodedBlock block = BlockWriter.write(rows, RandomRows.MAIL, arena);

        assertThat(block.bounds("weight")).contains(new NumberBounds.Real(-0.0, 3));
        assertThat(block.bounds("score")).contains(NumberBounds.Real.NONE);
        assertThat(block.bounds("size")).contains(NumberBounds.Whole.NONE);
    }

    @Test
    void returnsThePlacesOfTheChunksOfAField() {
        List<Row> rows = random.rows(RandomRows.MAIL, 100);
        EncodedBlock block = BlockWriter.write(rows, RandomRows.MAIL, arena);

        ChunkExtent vectors = block.extents("vector").getFirst();
        var column = (Column.DenseTensors) block.column("vector").orElseThrow();
        long start = block.groups().bytes().address() - block.keyExtents().getFirst().offset();
        assertThat(vectors.part()).isEqualTo(ChunkExtent.Part.VALUES);
        assertThat(start + vectors.offset()).isEqualTo(column.cells().address());
        assertThat(vectors.length()).isEqualTo(column.byteSize() + (rows.size() + 7) / 8);
        assertThat(block.extents("unknown")).isEmpty();
        assertThat(block.keyExtents())
                .extracting(ChunkExtent::part)
                .containsExactly(
                        ChunkExtent.Part.KEYS,
                        ChunkExtent.Part.KEYS,
                        ChunkExtent.Part.TIMESTAMPS,
                        ChunkExtent.Part.TOMBSTONES);
    }

    @Test
    void copiesRowsFromBlockToBlock() {
        List<Row> rows = random.rows(RandomRows.MAIL, 400);
        EncodedBlock first = BlockWriter.write(rows, RandomRows.MAIL, arena);

        EncodedBlock second = copy(first);
        EncodedBlock third = copy(second);

        for (int row = 0; row < rows.size(); row++) {
            assertThat(third.row(row)).as("row %d, seed %d", row, SEED).isEqualTo(rows.get(row));
        }
        assertThat(bytes(third)).isEqualTo(bytes(first));
    }

    @Test
    void putsRowsBackByteForByte() {
        List<Row> rows = random.rows(RandomRows.MAIL, 100);
        EncodedBlock block = BlockWriter.write(rows, RandomRows.MAIL, arena);
        var copy = new RowCopy(RandomRows.MAIL);

        for (int row = 0; row < rows.size(); row++) {
            assertThat(copy.encode(block, row).mismatch(RandomRows.encoded(rows.get(row))))
                    .as("row %d, seed %d", row, SEED)
                    .isEqualTo(-1);
        }
    }

    @Test
    void usesAWriterAgain() {
        List<Row> many = random.rows(RandomRows.MAIL, 200);
        List<Row> few = random.rows(RandomRows.MAIL, 7);
        var writer = new BlockWriter(RandomRows.MAIL);

        write(writer, many);
        EncodedBlock second = write(writer, few);

        assertThat(bytes(second)).isEqualTo(bytes(BlockWriter.write(few, RandomRows.MAIL, arena)));
    }

    private EncodedBlock write(BlockWriter writer, List<Row> rows) {
        for (Row row : rows) {
            writer.add(RowKey.of(row.id()), RandomRows.encoded(row));
        }
        return writer.finish(arena);
    }

    private EncodedBlock copy(EncodedBlock block) {
        var writer = new BlockWriter(block.documentType());
        var copy = new RowCopy(block.documentType());
        var key = new RowKeyBuffer();
        for (int row = 0; row < block.rowCount(); row++) {
            key.set(block.keys(), row);
            long whole = copy.encode(block, row).byteSize();
            MemorySegment encoded = copy.encodeWithoutKey(block, row, key);
            assertThat(encoded.byteSize() + copy.leftOut()).isEqualTo(whole);
            writer.copy(key, encoded, copy, block, row);
        }
        return writer.finish(arena);
    }

    private static byte[] bytes(EncodedBlock block) {
        return block.bytes().toArray(ValueLayout.JAVA_BYTE);
    }

    private static Row mail(int number, String field, FieldValue value) {
        return new Row(
                DocumentId.parse("id:a:mail:g=g:" + number),
                1,
                RandomRows.MAIL.fingerprint(),
                false,
                Map.of(field, value));
    }

    private static NumberBounds whole(List<Row> rows, String field) {
        LongSummaryStatistics numbers =
                rows.stream()
                        .map(row -> row.fields().get(field))
                        .filter(Objects::nonNull)
                        .mapToLong(value ->
                                value instanceof FieldValue.IntValue(int number)
                                        ? number
                                        : ((FieldValue.LongValue) value).value())
                        .summaryStatistics();
        return new NumberBounds.Whole(numbers.getMin(), numbers.getMax());
    }

    private static NumberBounds real(List<Row> rows, String field) {
        DoubleSummaryStatistics numbers =
                rows.stream()
                        .map(row -> row.fields().get(field))
                        .filter(Objects::nonNull)
                        .mapToDouble(value ->
                                value instanceof FieldValue.FloatValue(float number)
                                        ? number
                                        : ((FieldValue.DoubleValue) value).value())
                        .summaryStatistics();
        return new NumberBounds.Real(numbers.getMin(), numbers.getMax());
    }

    @Test
    void closesLargeGroupsAtTheirEndAndEveryBlockInTime() {
        var writer = new BlockWriter(RandomRows.NOTE);
        var text = Map.<String, FieldValue>of("text", new FieldValue.StringValue("x".repeat(700)));
        List<DocumentId> ids = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ids.add(DocumentId.parse("id:a:note:g=large:" + i));
            ids.add(DocumentId.parse("id:a:note:g=small" + i / 2 + ":" + i));
        }
        List<RowKey> keys = ids.stream().map(RowKey::of).sorted().toList();

        List<RowKey> closedBefore = new ArrayList<>();
        for (RowKey key : keys) {
            Row note = new Row(key.id(), 1, RandomRows.NOTE.fingerprint(), false, text);
            MemorySegment row = RandomRows.encoded(note);
            if (writer.isClosedBefore(key, row)) {
                writer.finish(arena);
                closedBefore.add(key);
            }
            writer.add(key, row);
        }

        assertThat(closedBefore).isNotEmpty();
        for (RowKey key : closedBefore) {
            int at = keys.indexOf(key);
            assertThat(keys.get(at - 1).isOfSameGroup(key)).isFalse();
        }
    }

    private static int bytes(Row left, Row right) {
        return Arrays.compareUnsigned(
                left.id().toString().getBytes(StandardCharsets.UTF_8),
                right.id().toString().getBytes(StandardCharsets.UTF_8));
    }
}
