package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.crabro.text.EightBytes;
import org.junit.jupiter.api.Test;

class ByteWordsTest {
    private static final int ROUNDS = 20_000;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    @Test
    void findsLineEnds() {
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = new byte[random.nextInt(40)];
            int range = 1 + random.nextInt(30);
            for (int i = 0; i < bytes.length; i++) {
                // Bytes that differ from a line end by one bit, and anything.
                bytes[i] =
                        switch (random.nextInt(range)) {
                            case 0 -> '\n';
                            case 1 -> '\n' + 1;
                            case 2 -> (byte) ('\n' | 0x80);
                            default -> (byte) random.nextInt(256);
                        };
            }
            int from = random.nextInt(bytes.length + 1);
            int first = from;
            while (first < bytes.length && bytes[first] != '\n') {
                first++;
            }
            int last = bytes.length - 1;
            while (last >= from && bytes[last] != '\n') {
                last--;
            }
            assertThat(ByteWords.lastLineEnd(bytes, from, bytes.length))
                    .as("seed %d", seed)
                    .isEqualTo(last < from ? -1 : last);
            assertThat(ByteWords.lineEnd(bytes, from, bytes.length))
                    .as("seed %d", seed)
                    .isEqualTo(first);
        }
    }

    @Test
    void readsHexadecimalDigits() {
        for (int round = 0; round < ROUNDS; round++) {
            int number = random.nextInt();
            String text = (round % 2 == 0 ? "%08x" : "%08X").formatted(number);
            assertThat(ByteWords.notHex(word(text))).isZero();
            assertThat(ByteWords.hex(word(text))).as("seed %d", seed).isEqualTo(number);
        }
    }

    @Test
    void refusesEveryOtherByteAtEveryPlace() {
        for (int place = 0; place < Long.BYTES; place++) {
            for (int other = 0; other < 256; other++) {
                byte[] text = "12345678".getBytes(US_ASCII);
                text[place] = (byte) other;
                long word = EightBytes.of(text, 0);
                boolean isHex = other < 0x80 && Character.digit(other, 16) >= 0;
                assertThat(ByteWords.notHex(word))
                        .as("%x at %d", other, place)
                        .isEqualTo(isHex ? 0 : 0x80L << (Byte.SIZE * place));
            }
        }
    }

    private static long word(String text) {
        return EightBytes.of(text.getBytes(US_ASCII), 0);
    }
}
