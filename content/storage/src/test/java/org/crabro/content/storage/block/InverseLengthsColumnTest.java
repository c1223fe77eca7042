package org.crabro.content.storage.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.block.key.RowKeyBuffer;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkExtent;
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

class InverseLengthsColumnTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final TensorType VECTOR = TensorType.parse("tensor<bfloat16>(x[40])");
    private static final TensorType SHORT = TensorType.parse("tensor<bfloat16>(x[31])");
    private static final DocumentType TYPE =
            new DocumentType(
                    "item",
                    List.of(
                            new Field("small", new FieldType.TensorOf(SHORT), true),
                            new Field("vector", new FieldType.TensorOf(VECTOR), true)));

    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void areThoseOfTheVectors() {
        List<Row> rows = rows(300);

        for (BlockWriter writer :
                List.of(new BlockWriter(TYPE), new BlockWriter(TYPE, SearchedTexts.NONE))) {
            EncodedBlock block = writer.write(rows, arena);

            MemorySegment lengths = block.inverseLengths("vector").orElseThrow();
            assertThat(lengths.byteSize()).isEqualTo(4L * rows.size());
            for (int row = 0; row < rows.size(); row++) {
                double length = length(rows.get(row));
                assertThat(Float.intBitsToFloat(lengths.get(BlockLayout.INT, 4L * row)) * length)
                        .as("row %d, seed %d", row, SEED)
                        .isCloseTo(length == 0 ? 0 : 1, within(0x1p-23));
            }
        }
    }

    @Test
    void areStoredOfLongVectorsAlone() {
        EncodedBlock block = BlockWriter.write(rows(9), TYPE, arena);

        assertThat(block.inverseLengths("small")).isEmpty();
        assertThat(block.inverseLengths("unknown")).isEmpty();
        assertThat(block.extents("small")).hasSize(1);
        assertThat(block.extents("vector"))
                .extracting(ChunkExtent::part)
                .containsExactly(ChunkExtent.Part.INVERSE_LENGTHS, ChunkExtent.Part.VALUES);
    }

    @Test
    void areNotThereWhereNoRowHasAVector() {
        List<Row> rows = List.of(row(1, Map.of()), row(2, Map.of()));

        EncodedBlock block = BlockWriter.write(sorted(rows), TYPE, arena);

        assertThat(block.inverseLengths("vector")).isEmpty();
    }

    @Test
    void areCopiedFromBlockToBlock() {
        EncodedBlock block = BlockWriter.write(rows(200), TYPE, arena);
        var writer = new BlockWriter(TYPE);
        var copy = new RowCopy(TYPE);
        var key = new RowKeyBuffer();
        for (int row = 0; row < block.rowCount(); row++) {
            key.set(block.keys(), row);
            writer.copy(key, copy.encodeWithoutKey(block, row, key), copy, block, row);
        }

        EncodedBlock copied = writer.finish(arena);

        assertThat(copied.bytes().mismatch(block.bytes())).as("seed %d", SEED).isEqualTo(-1);
    }

    private static double length(Row row) {
        if (!(row.fields().get("vector") instanceof FieldValue.TensorValue(DenseTensor tensor))) {
            return 0;
        }
        double sum = 0;
        for (int i = 0; i < tensor.size(); i++) {
            sum += tensor.cell(i) * tensor.cell(i);
        }
        return Math.sqrt(sum);
    }

    /** Some rows without a vector, some with zeros. */
    private static List<Row> rows(int count) {
        var random = new Random(SEED);
        var rows = new ArrayList<Row>();
        for (int i = 0; i < count; i++) {
            double[] small = random.doubles(31).toArray();
            double[] cells = new double[40];
            boolean isZero = random.nextInt(9) == 0;
            Arrays.setAll(cells, _ -> isZero ? 0 : random.nextInt(-100, 100));
            var fields =
                    Map.<String, FieldValue>of(
                            "small", new FieldValue.TensorValue(DenseTensor.of(SHORT, small)),
                            "vector", new FieldValue.TensorValue(DenseTensor.of(VECTOR, cells)));
            rows.add(row(i, i > 0 && random.nextInt(5) == 0 ? Map.of() : fields));
        }
        return sorted(rows);
    }

    private static List<Row> sorted(List<Row> rows) {
        return rows.stream().sorted(Comparator.comparing(row -> RowKey.of(row.id()))).toList();
    }

    private static Row row(int number, Map<String, FieldValue> fields) {
        return new Row(
                DocumentId.parse("id:a:item:g=g:" + number), 1, TYPE.fingerprint(), false, fields);
    }
}
