package org.crabro.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainCopyTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    /** The first and last bytes that are not plain, and their neighbors. */
    private static final byte[] BYTES = {
        0, 1, '\n', 0x1f, ' ', '!', '"', '#', '[', '\\', ']', 'a', '~', 0x7f, (byte) 0x80, -1
    };

    private final Random random = new Random(SEED);

    /** Around words and the vectors of any machine, where the loops change over. */
    @ParameterizedTest
    @ValueSource(
            ints = {
                0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 72, 127, 128, 129, 200, 1_000
            })
    void bothCopyUpToTheFirstThatIsNotPlain(int length) {
        for (int i = 0; i < 400; i++) {
            int from = random.nextInt(20);
            byte[] source = plainBytes(from + length + random.nextInt(3));
            for (int j = random.nextInt(4); j > 0 && source.length > 0; j--) {
                source[random.nextInt(source.length)] = BYTES[random.nextInt(BYTES.length)];
            }
            int end = from;
            while (end < from + length && isPlain(source[end])) {
                end++;
            }
            int into = random.nextInt(5);

            for (PlainCopy copy : new PlainCopy[] {new WordPlainCopy(), new VectorPlainCopy()}) {
                byte[] target = new byte[into + length];
                int copied = copy.copy(source, from, from + length, target, into);

                String what = "%s, seed %d".formatted(copy.getClass().getSimpleName(), SEED);
                assertThat(copied).as(what).isEqualTo(end);
                assertThat(Arrays.copyOfRange(target, into, into + end - from))
                        .as(what)
                        .isEqualTo(Arrays.copyOfRange(source, from, end));
                assertThat(Arrays.copyOf(target, into)).as(what).isEqualTo(new byte[into]);
            }
        }
    }

    private byte[] plainBytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('a' + random.nextInt(26));
        }
        return bytes;
    }

    private static boolean isPlain(byte b) {
        return b >= ' ' && b != '"' && b != '\\';
    }
}
