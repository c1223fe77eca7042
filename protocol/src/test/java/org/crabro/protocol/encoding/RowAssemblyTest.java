package org.crabro.protocol.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.junit.jupiter.api.Test;

class RowAssemblyTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final DocumentType TYPE =
            new DocumentType(
                    "note",
                    List.of(
                            new Field("a", FieldType.Primitive.INT, true),
                            new Field("b", FieldType.Primitive.LONG, true),
                            new Field("c", FieldType.Primitive.STRING, true),
                            new Field("d", FieldType.Primitive.BOOL, true)));

    private final Random random = new Random(SEED);

    /** All rows use the same object, so that data left from an earlier row would be detected. */
    @Test
    void rowsOfValuesInAnyOrderAreThoseThatAreEncodedOtherwise() {
        var assembly = new RowAssembly(TYPE);
        for (int round = 0; round < 2_000; round++) {
            DocumentId id = DocumentId.parse("id:ns:note::" + "x".repeat(1 + random.nextInt(40)));
            byte[] idBytes = (" " + id + " ").getBytes(UTF_8);
            Map<String, FieldValue> fields = new HashMap<>();

            assembly.begin(idBytes, 1, idBytes.length - 2, Integer.MAX_VALUE);
            boolean rises = random.nextBoolean();
            for (int i = 0; i < TYPE.fields().size(); i++) {
                put(assembly, rises ? i : random.nextInt(TYPE.fields().size()), fields);
            }
            byte[] row = assembly.row();

            assertThat(row)
                    .as("%s, seed %d", fields, SEED)
                    .isEqualTo(
                            RowEncoding.encode(
                                    new Row(id, 0, TYPE.fingerprint(), false, fields), TYPE));
        }
    }

    @Test
    void memoryDoesNotGrowBeyondWhatWasForeseen() {
        var assembly = new RowAssembly(TYPE);
        assembly.begin(new byte[1], 0, 1, 1 << 20);
        assembly.putZeros(1 << 19);

        assertThatExceptionOfType(RowTooLongException.class)
                .isThrownBy(() -> assembly.putZeros(1 << 20))
                .withMessage("more than 1,048,576 bytes were put into a row");
    }

    private void put(RowAssembly assembly, int index, Map<String, FieldValue> fields) {
        String name = TYPE.fields().get(index).name();
        if (random.nextInt(5) == 0) {
            assembly.unset(index);
            fields.remove(name);
            return;
        }
        assembly.beginField(index);
        int value = random.nextInt(100);
        switch (index) {
            case 0 -> {
                assembly.putInt(value);
                fields.put(name, new FieldValue.IntValue(value));
            }
            case 1 -> {
                assembly.putLong(value);
                fields.put(name, new FieldValue.LongValue(value));
            }
            case 2 -> {
                int place = assembly.putCount();
                byte[] text = "y".repeat(value).getBytes(UTF_8);
                assembly.putBytes(text, 0, text.length);
                assembly.setCount(place, assembly.sizeSince(place));
                fields.put(name, new FieldValue.StringValue("y".repeat(value)));
            }
            default -> {
                assembly.putByte(value & 1);
                fields.put(name, new FieldValue.BoolValue((value & 1) == 1));
            }
        }
    }
}
