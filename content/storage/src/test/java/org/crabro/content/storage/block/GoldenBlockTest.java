package org.crabro.content.storage.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.file.RunBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.os.Residency;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;

/**
 * Compares a block with codes, compressed texts and nested values with bytes that were written
 * once. The bytes are read, not written again: another release of the compressor may compress
 * better.
 */
class GoldenBlockTest {
    private static final int ROWS = 24;
    private static final TensorType VECTOR = TensorType.parse("tensor<bfloat16>(x[32])");

    private static final TensorType CHUNKS = TensorType.parse("tensor<bfloat16>(chunk{},x[2])");

    private static final DocumentType TYPE =
            new DocumentType(
                    "parts",
                    List.of(
                            field("color", Primitive.STRING),
                            field("body", Primitive.STRING),
                            field("labels", new FieldType.ArrayOf(Primitive.STRING)),
                            field("hours", new FieldType.ArrayOf(Primitive.INT)),
                            field("weights", new FieldType.WeightedSetOf(Primitive.STRING)),
                            field("counts", new FieldType.MapOf(Primitive.STRING, Primitive.LONG)),
                            field(
                                    "person",
                                    new FieldType.StructOf(
                                            "person",
                                            List.of(
                                                    field("name", Primitive.STRING),
                                                    field("age", Primitive.INT),
                                                    field("unset", Primitive.BOOL)))),
                            field("vector", new FieldType.TensorOf(VECTOR)),
                            field("chunks", new FieldType.TensorOf(CHUNKS))));

    @Test
    void readsTheGoldenBlock() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            EncodedBlock block = open(golden(), arena);

            List<Row> rows = rows();
            for (int row = 0; row < ROWS; row++) {
                assertThat(block.row(row)).isEqualTo(rows.get(row));
            }
            assertThat(block.column("color").orElseThrow()).isInstanceOf(Column.CodedTexts.class);
            assertThat(block.column("body").orElseThrow()).isInstanceOf(Column.FramedTexts.class);
            assertThat(block.column("labels").orElseThrow())
                    .isInstanceOfSatisfying(
                            Column.Arrays.class,
                            arrays ->
                                    assertThat(arrays.elements())
                                            .isInstanceOf(Column.CodedTexts.class));
            assertThat(
                            block.inverseLengths("vector")
                                    .orElseThrow()
                                    .mismatch(MemorySegment.ofArray(inverseLengths(rows))))
                    .isEqualTo(-1);
            assertThat(block.column("chunks").orElseThrow())
                    .isInstanceOfSatisfying(
                            Column.MixedTensors.class,
                            tensors ->
                                    assertThat(tensors.labels().getFirst())
                                            .isInstanceOf(Column.CodedTexts.class));
        }
    }

    @Test
    void writesBlocksThatReadTheSame() {
        try (Arena arena = Arena.ofConfined()) {
            EncodedBlock written = new BlockWriter(TYPE, SearchedTexts.NONE).write(rows(), arena);

            List<Row> rows = rows();
            for (int row = 0; row < ROWS; row++) {
                assertThat(written.row(row)).isEqualTo(rows.get(row));
            }
        }
    }

    /** Of vectors whose 32 cells are equal. */
    private static byte[] inverseLengths(List<Row> rows) {
        ByteBuffer lengths = ByteBuffer.allocate(4 * ROWS).order(ByteOrder.LITTLE_ENDIAN);
        for (Row row : rows) {
            var vector =
                    (FieldValue.TensorValue) Objects.requireNonNull(row.fields().get("vector"));
            double cell = vector.tensor().cell(0);
            lengths.putFloat(cell == 0 ? 0 : (float) (1 / Math.sqrt(32 * cell * cell)));
        }
        return lengths.array();
    }

    private static EncodedBlock open(byte[] golden, Arena arena) {
        MemorySegment bytes = arena.allocate(golden.length, BlockLayout.ALIGNMENT);
        bytes.copyFrom(MemorySegment.ofArray(golden));
        var file = new RunBytes("block-1.hex", bytes, Residency.ALWAYS);
        BlockMarks marks = BlockMarks.none(TYPE, 0, golden.length);
        SharedBlock shared =
                EncodedBlock.shared(
                        bytes,
                        TYPE,
                        TYPE.fingerprint(),
                        ROWS,
                        BlockOrigin.file(file, 0, TYPE, marks),
                        null);
        return EncodedBlock.open(shared, new ReadContext(), false);
    }

    private static List<Row> rows() {
        var rows = new ArrayList<Row>();
        for (int i = 0; i < ROWS; i++) {
            Map<String, FieldValue> fields = new LinkedHashMap<>();
            fields.put("color", text(i % 3 == 0 ? "red" : "grün"));
            fields.put("body", text("the quick brown fox number " + i + " jumps again ".repeat(5)));
            fields.put("labels", new FieldValue.ArrayValue(List.of(text("a"), text("b" + i % 2))));
            if (i % 2 == 0) {
                fields.put(
                        "hours",
                        new FieldValue.ArrayValue(
                                List.of(new FieldValue.IntValue(i), new FieldValue.IntValue(-i))));
                fields.put("weights", new FieldValue.WeightedSetValue(Map.of(text("w" + i), -i)));
            }
            fields.put(
                    "counts",
                    new FieldValue.MapValue(Map.of(text("k"), new FieldValue.LongValue(i))));
            fields.put(
                    "person",
                    new FieldValue.StructValue(
                            i % 4 == 0
                                    ? Map.of("name", text("n" + i))
                                    : Map.of(
                                            "name",
                                            text("n" + i),
                                            "age",
                                            new FieldValue.IntValue(i))));
            double[] cells = new double[32];
            Arrays.fill(cells, i);
            fields.put("vector", new FieldValue.TensorValue(DenseTensor.of(VECTOR, cells)));
            if (i % 3 != 0) {
                fields.put(
                        "chunks",
                        new FieldValue.MixedTensorValue(
                                MixedTensor.of(
                                        CHUNKS,
                                        Map.of(
                                                List.of("first"), new double[] {i, -i},
                                                List.of("n" + i % 5), new double[] {0.5, i}))));
            }
            rows.add(
                    new Row(
                            DocumentId.parse("id:a:parts:g=g:" + i),
                            1_000 + i,
                            TYPE.fingerprint(),
                            false,
                            fields));
        }
        rows.sort(Comparator.comparing(row -> RowKey.of(row.id())));
        return rows;
    }

    private static Field field(String name, FieldType type) {
        return new Field(name, type, true);
    }

    private static FieldValue text(String text) {
        return new FieldValue.StringValue(text);
    }

    private static byte[] golden() throws IOException {
        try (InputStream stream =
                Objects.requireNonNull(GoldenBlockTest.class.getResourceAsStream("block-1.hex"))) {
            String hex = new String(stream.readAllBytes(), UTF_8);
            return HexFormat.of().parseHex(hex.replaceAll("#.*|\\s", ""));
        }
    }
}
