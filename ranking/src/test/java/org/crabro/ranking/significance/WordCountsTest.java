package org.crabro.ranking.significance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WordCountsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String LETTERS = "abcdeéß漢𝔞-";

    @Test
    void keepsWhatAMapKeeps() {
        var random = new Random(SEED);
        for (int round = 0; round < 20; round++) {
            Map<String, Long> expected = new HashMap<>();
            var counts = new WordCounts();
            int words = 1 << random.nextInt(13);
            for (int i = 0; i < words; i++) {
                String word = word(random);
                long count = random.nextLong(1L << random.nextInt(1, 40));
                boolean isNew = expected.putIfAbsent(word, count) == null;

                assertThat(counts.add(word, count)).as("seed %d: %s", SEED, word).isEqualTo(isNew);
                if (random.nextInt(words) == 0) {
                    counts.trim();
                }
            }

            assertThat(counts.size()).isEqualTo(expected.size());
            assertThat(counts.largest())
                    .isEqualTo(
                            expected.values().stream().mapToLong(Long::longValue).max().orElse(0));
            for (int i = 0; i < 2 * words; i++) {
                String word = word(random);
                assertThat(counts.of(word))
                        .as("seed %d: %s", SEED, word)
                        .isEqualTo(expected.getOrDefault(word, 0L));
            }
            expected.forEach((word, count) ->
                    assertThat(counts.of(word)).as("seed %d: %s", SEED, word).isEqualTo(count));
        }
    }

    private static String word(Random random) {
        var word = new StringBuilder();
        int[] letters = LETTERS.codePoints().toArray();
        for (int i = random.nextInt(6); i > 0; i--) {
            word.appendCodePoint(letters[random.nextInt(letters.length)]);
        }
        return word.toString();
    }
}
