package org.crabro.document.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Any bytes are a predicate, or refused with the place of the error; nothing is thrown. */
class PredicateFuzzTest {
    private static final int ROUNDS = 20_000;

    private static final List<String> PIECES =
            List.of(
                    "age",
                    "in",
                    "not",
                    "and",
                    "or",
                    "AND",
                    "true",
                    "false",
                    "(",
                    ")",
                    "[",
                    "]",
                    "..",
                    ",",
                    "20",
                    "-9223372036854775808",
                    "99999999999999999999",
                    "'",
                    "\"",
                    "\\x0",
                    "\\x41",
                    "\\n",
                    "\u0000",
                    "é",
                    "\ud83d\ude00",
                    "_");

    private static final PredicateReader.Attributes ATTRIBUTES =
            new PredicateReader.Attributes() {
                @Override
                public boolean has(byte[] term, int length) {
                    return Arrays.hashCode(Arrays.copyOf(term, length)) % 2 == 0;
                }

                @Override
                public boolean isWithin(byte[] name, int length, long low, long high) {
                    return low <= 30 && 30 <= high;
                }
            };

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    /** One for all rounds, as scans use it. */
    private final PredicateReader reader = new PredicateReader();

    @Test
    void anyBytesAreReadOrRefused() {
        int read = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] utf8 =
                    switch (round % 3) {
                        case 0 -> pieces().getBytes(StandardCharsets.UTF_8);
                        case 1 -> damaged();
                        default -> bytes();
                    };
            try {
                boolean isTrue = reader.test(utf8, utf8.length, ATTRIBUTES);

                String text = new String(utf8, StandardCharsets.UTF_8);
                boolean again = new PredicateReader().test(utf8, utf8.length, ATTRIBUTES);
                boolean isRead = PredicateReader.problem(text).isEmpty();
                read += isRead ? 1 : 0;
                assertThat(isTrue).as("%s, seed %d", text, seed).isEqualTo(again);
                assertThat(
                                !isTrue
                                        || isRead
                                        || !Arrays.equals(
                                                utf8, text.getBytes(StandardCharsets.UTF_8)))
                        .as("%s, seed %d", text, seed)
                        .isTrue();
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError(Arrays.toString(utf8) + ", seed " + seed, e);
            }
        }
        assertThat(read).as("seed %d", seed).isPositive();
    }

    private String pieces() {
        var text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
            text.append(random.nextInt(3) == 0 ? "" : " ");
        }
        return text.toString();
    }

    /** Returns a predicate with a few wrong bytes. */
    private byte[] damaged() {
        byte[] utf8 =
                "not (age in [20..30] or 'a\\x41' not in [b, \"c\"]) and x in ['é'] or true"
                        .getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4); i > 0; i--) {
            utf8[random.nextInt(utf8.length)] = (byte) random.nextInt(256);
        }
        return Arrays.copyOf(utf8, 1 + random.nextInt(utf8.length));
    }

    private byte[] bytes() {
        var bytes = new byte[random.nextInt(40)];
        random.nextBytes(bytes);
        return bytes;
    }
}
