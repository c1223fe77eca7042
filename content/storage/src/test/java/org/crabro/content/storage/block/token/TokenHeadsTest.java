package org.crabro.content.storage.block.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TokenHeadsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    /** Few letters, so that many tokens have common prefixes; é has a negative byte. */
    private static final String LETTERS = "abé";

    @Test
    void boundsTheRestartThatAnyTokenIsBehind() {
        var random = new Random(SEED);
        for (int count : new int[] {1, 2, 511, 512, 513, 1_025, 2_000}) {
            List<byte[]> restarts = tokens(random, count);
            TokenHeads heads =
                    TokenHeads.of(
                            restarts.size(), restart -> TokenHeads.head(restarts.get(restart)));
            List<byte[]> words = new ArrayList<>(restarts);
            words.addAll(tokens(random, 200));
            words.add(new byte[] {(byte) 0xf4, (byte) 0x8f, (byte) 0xbf, (byte) 0xbf});
            for (byte[] word : words) {
                int expected = lastNotBehind(restarts, word);
                long head = TokenHeads.head(word);

                int before = heads.lastBefore(head);

                assertThat(before)
                        .as("%s of %d, seed %d", text(word), count, SEED)
                        .isBetween(0, expected);
                assertThat(heads.firstBehind(head, before))
                        .as("%s of %d, seed %d", text(word), count, SEED)
                        .isGreaterThanOrEqualTo(expected);
            }
        }
    }

    @Test
    void leavesFewRestartsBetweenTwoHeads() {
        var random = new Random(SEED);
        List<byte[]> restarts = new ArrayList<>();
        for (int i = 0; i < 640; i++) {
            restarts.add("%04d".formatted(i).getBytes(StandardCharsets.UTF_8));
        }
        TokenHeads heads =
                TokenHeads.of(restarts.size(), restart -> TokenHeads.head(restarts.get(restart)));
        for (int i = 0; i < 100; i++) {
            long head = TokenHeads.head(restarts.get(1 + random.nextInt(600)));

            int before = heads.lastBefore(head);

            assertThat(heads.firstBehind(head, before) - before)
                    .as("seed %d", SEED)
                    .isLessThan(2 * Math.ceilDiv(restarts.size(), TokenHeads.MOST));
        }
    }

    private static int lastNotBehind(List<byte[]> restarts, byte[] word) {
        int last = 0;
        for (int i = 0; i < restarts.size(); i++) {
            if (Arrays.compareUnsigned(restarts.get(i), word) <= 0) {
                last = i;
            }
        }
        return last;
    }

    private static List<byte[]> tokens(Random random, int count) {
        var tokens = new TreeSet<byte[]>(Arrays::compareUnsigned);
        while (tokens.size() < count) {
            var token = new StringBuilder();
            for (int length = 1 + random.nextInt(14); length > 0; length--) {
                token.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
            }
            tokens.add(token.toString().getBytes(StandardCharsets.UTF_8));
        }
        return List.copyOf(tokens);
    }

    private static String text(byte[] token) {
        return new String(token, StandardCharsets.UTF_8);
    }
}
