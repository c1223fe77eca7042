package org.crabro.ranking.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.crabro.ranking.onnx.WeightReader.Weight;
import org.junit.jupiter.api.Test;

class WeightReaderTest {
    private static final int FLOAT = 1;
    private static final int STRING = 8;

    @Test
    void findsWeightsAndTheirPlaces() {
        byte[] tensor =
                joined(
                        number(1, 2),
                        number(1, 3),
                        number(2, FLOAT),
                        part(8, text("w")),
                        part(9, new byte[24]));
        byte[] packed =
                joined(
                        part(1, new byte[] {4}),
                        number(2, 3),
                        part(9, new byte[] {1, 2, 3, 4}),
                        part(8, text("bytes")));
        byte[] file = model(part(1, text("node")), part(5, tensor), part(5, packed));

        List<Weight> weights = read(file);

        assertThat(weights).extracting(Weight::name).containsExactly("w", "bytes");
        assertThat(weights.get(0).shape()).containsExactly(2L, 3L);
        assertThat(weights.get(0).element()).isEqualTo(ElementType.FLOAT);
        assertThat(weights.get(0).bytes()).isEqualTo(24);
        assertThat(weights.get(1).element()).isEqualTo(ElementType.INT8);
        int place = (int) weights.get(1).offset();
        assertThat(Arrays.copyOfRange(file, place, place + 4)).containsExactly(1, 2, 3, 4);
    }

    @Test
    void leavesOutWeightsThatAreNotInTheFileAsTheyAreInMemory() {
        byte[] texts =
                joined(
                        number(1, 1),
                        number(2, STRING),
                        part(8, text("texts")),
                        part(9, new byte[4]));
        byte[] external =
                joined(number(1, 4), number(2, FLOAT), part(8, text("external")), number(14, 1));
        byte[] short2 =
                joined(
                        number(1, 4),
                        number(2, FLOAT),
                        part(8, text("short")),
                        part(9, new byte[8]));
        byte[] nameless = joined(number(1, 1), number(2, FLOAT), part(9, new byte[4]));
        byte[] huge =
                joined(
                        part(1, varints(Long.MAX_VALUE, 4, 4)),
                        number(2, FLOAT),
                        part(8, text("huge")),
                        part(9, new byte[64]));

        assertThat(
                        read(
                                model(
                                        part(5, texts),
                                        part(5, external),
                                        part(5, short2),
                                        part(5, nameless),
                                        part(5, huge))))
                .isEmpty();
    }

    @Test
    void namesThePlaceOfDamage() {
        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> read(new byte[] {7 << 3 | 2, 100, 1}))
                .withMessage("it is no ONNX model: at byte 2: a part of 100 bytes, and 1 are left");
    }

    @Test
    void rejectsOrReadsAllDamagedFiles() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        byte[] tensor =
                joined(number(1, 8), number(2, FLOAT), part(8, text("w")), part(9, new byte[32]));
        byte[] file = model(part(5, tensor), part(5, tensor));
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = Arrays.copyOf(file, random.nextInt(file.length + 5));
            if (damaged.length > 0) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                for (Weight weight : read(damaged)) {
                    assertThat(weight.offset() + weight.bytes())
                            .as("seed %d, round %d", seed, i)
                            .isLessThanOrEqualTo(damaged.length);
                }
            } catch (InvalidModelException e) {
                assertThat(e.getMessage()).startsWith("it is no ONNX model: at byte ");
            }
        }
    }

    private static List<Weight> read(byte[] file) {
        return WeightReader.read(MemorySegment.ofArray(file));
    }

    private static byte[] model(byte[]... parts) {
        return joined(number(1, 8), part(7, joined(parts)));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] number(int field, int value) {
        return new byte[] {(byte) (field << 3), (byte) value};
    }

    private static byte[] varints(long... values) {
        var out = new ByteArrayOutputStream();
        for (long value : values) {
            long left = value;
            while (left >= 0x80) {
                out.write((int) (left & 0x7F) | 0x80);
                left >>>= 7;
            }
            out.write((int) left);
        }
        return out.toByteArray();
    }

    private static byte[] part(int field, byte[] bytes) {
        return joined(new byte[] {(byte) (field << 3 | 2)}, varints(bytes.length), bytes);
    }

    private static byte[] joined(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
