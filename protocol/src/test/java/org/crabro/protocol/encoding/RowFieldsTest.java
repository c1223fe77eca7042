package org.crabro.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.groups.Tuple.tuple;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.groups.Tuple;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;

class RowFieldsTest {
    private static final TensorType VECTOR = TensorType.parse("tensor<bfloat16>(x[3])");
    private static final TensorType CHUNKS = TensorType.parse("tensor<float>(c{},x[2])");
    private static final DocumentType TYPE =
            new DocumentType(
                    "mail",
                    List.of(
                            new Field("subject", Primitive.STRING, true),
                            new Field("read", Primitive.BOOL, true),
                            new Field("unset", Primitive.INT, true),
                            new Field("to", new FieldType.ArrayOf(Primitive.STRING), true),
                            new Field("hours", new FieldType.ArrayOf(Primitive.LONG), true),
                            new Field("vector", new FieldType.TensorOf(VECTOR), false),
                            new Field(
                                    "weights", new FieldType.WeightedSetOf(Primitive.STRING), true),
                            new Field(
                                    "counts",
                                    new FieldType.MapOf(Primitive.STRING, Primitive.LONG),
                                    true),
                            new Field(
                                    "person",
                                    new FieldType.StructOf(
                                            "person",
                                            List.of(
                                                    new Field("age", Primitive.INT, true),
                                                    new Field("name", Primitive.STRING, true))),
                                    true),
                            new Field("chunks", new FieldType.TensorOf(CHUNKS), false)));
    private static final Row ROW =
            new Row(
                    DocumentId.parse("id:a:mail::1"),
                    7,
                    TYPE.fingerprint(),
                    false,
                    Map.of(
                            "weights",
                            new FieldValue.WeightedSetValue(
                                    Map.of(new FieldValue.StringValue("w"), 3)),
                            "counts",
                            new FieldValue.MapValue(
                                    Map.of(
                                            new FieldValue.StringValue("k"),
                                            new FieldValue.LongValue(4))),
                            "person",
                            new FieldValue.StructValue(
                                    Map.of("name", new FieldValue.StringValue("ann"))),
                            "subject",
                            new FieldValue.StringValue("wörds"),
                            "read",
                            new FieldValue.BoolValue(true),
                            "to",
                            new FieldValue.ArrayValue(
                                    List.of(
                                            new FieldValue.StringValue("ann"),
                                            new FieldValue.StringValue(""))),
                            "hours",
                            new FieldValue.ArrayValue(List.of(new FieldValue.LongValue(9))),
                            "vector",
                            new FieldValue.TensorValue(
                                    DenseTensor.of(VECTOR, new double[] {1, 2, 3})),
                            "chunks",
                            new FieldValue.MixedTensorValue(
                                    MixedTensor.of(
                                            CHUNKS,
                                            Map.of(
                                                    List.of("a"), new double[] {1, 2},
                                                    List.of("bc"), new double[] {3, 4})))));

    @Test
    void goesFromFieldToField() {
        byte[] row = RowEncoding.encode(ROW, TYPE);
        int first = RowEncoding.ID_OFFSET + ROW.id().toString().length() + Short.BYTES;

        assertThat(fields(MemorySegment.ofArray(row)))
                .containsExactly(
                        tuple(0, (long) first, 4L + 6),
                        tuple(1, first + 12L, 1L),
                        tuple(3, first + 15L, 4L + 4 + 3 + 4),
                        tuple(4, first + 32L, 4L + 8),
                        tuple(5, first + 46L, 6L),
                        tuple(6, first + 54L, 4L + 4 + 1 + 4),
                        tuple(7, first + 69L, 4L + 4 + 1 + 8),
                        tuple(8, first + 88L, 2L + 2 + 4 + 3),
                        tuple(9, first + 101L, 4L + (4 + 1) + (4 + 2) + 2 * 2 * 4));
        assertThat(new String(row, first + 4, 6, StandardCharsets.UTF_8)).isEqualTo("wörds");
    }

    @Test
    void findsNothingInATombstone() {
        var removed = new Row(ROW.id(), 8, TYPE.fingerprint(), true, Map.of());
        MemorySegment row = MemorySegment.ofArray(RowEncoding.encode(removed, TYPE));

        assertThat(fields(row)).isEmpty();
    }

    @Test
    void refusesEveryShorterRow() {
        MemorySegment row = MemorySegment.ofArray(RowEncoding.encode(ROW, TYPE));

        for (long length = 0; length < row.byteSize(); length++) {
            MemorySegment part = row.asSlice(0, length);
            assertThatIllegalArgumentException()
                    .as("%d of %d bytes", length, row.byteSize())
                    .isThrownBy(() -> fields(part));
        }
    }

    @Test
    void staysInTheRowWhateverItsBytesAre() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        byte[] whole = RowEncoding.encode(ROW, TYPE);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();

            try {
                for (Tuple field : fields(MemorySegment.ofArray(damaged))) {
                    long end = (long) field.toList().get(1) + (long) field.toList().get(2);
                    assertThat(end)
                            .as("damage %d, seed %d", i, seed)
                            .isBetween(0L, 0L + damaged.length);
                }
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("a ");
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    private static List<Tuple> fields(MemorySegment row) {
        var tuples = new ArrayList<Tuple>();
        var fields = new RowFields(TYPE);
        fields.open(row);
        while (fields.next()) {
            tuples.add(tuple(fields.index(), fields.offset(), fields.length()));
        }
        return tuples;
    }
}
