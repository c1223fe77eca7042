package org.crabro.tensor;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.crabro.text.EightBytes;
import org.junit.jupiter.api.Test;

class DigitWordsTest {
    private static final int ROUNDS = 20_000;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    @Test
    void readsDecimalDigits() {
        for (int round = 0; round < ROUNDS; round++) {
            int number = random.nextInt(100_000_000);
            long word = word("%08d".formatted(number));
            assertThat(DigitWords.areDigits(word)).isTrue();
            assertThat(DigitWords.decimal(word)).as("seed %d", seed).isEqualTo(number);
        }
    }

    @Test
    void findsHowManyOfTheFirstAreDigits() {
        for (int count = 0; count <= Long.BYTES; count++) {
            for (int other = 0; other < 256; other++) {
                byte[] text = "98765432".getBytes(US_ASCII);
                if (count < Long.BYTES) {
                    text[count] = (byte) other;
                }
                long word = EightBytes.of(text, 0);
                boolean isDigit = count == Long.BYTES || (other >= '0' && other <= '9');
                assertThat(DigitWords.leadingDigits(word))
                        .as("%x at %d", other, count)
                        .isEqualTo(isDigit ? Long.BYTES : count);
                assertThat(DigitWords.decimal(DigitWords.lastOnly(word, count)))
                        .isEqualTo(count == 0 ? 0 : Long.parseLong("98765432".substring(0, count)));
            }
        }
    }

    @Test
    void refusesEveryOtherByteAtEveryPlace() {
        for (int place = 0; place < Long.BYTES; place++) {
            for (int other = 0; other < 256; other++) {
                byte[] text = "12345678".getBytes(US_ASCII);
                text[place] = (byte) other;
                assertThat(DigitWords.areDigits(EightBytes.of(text, 0)))
                        .as("%x at %d", other, place)
                        .isEqualTo(other >= '0' && other <= '9');
            }
        }
    }

    private static long word(String text) {
        return EightBytes.of(text.getBytes(US_ASCII), 0);
    }
}
