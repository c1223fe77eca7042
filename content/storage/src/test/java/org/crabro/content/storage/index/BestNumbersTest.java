package org.crabro.content.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BestNumbersTest {
    private static final int ROUNDS = 300;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    @Test
    void keepsTheHighestKeys() {
        for (int round = 0; round < ROUNDS; round++) {
            int most = 1 + random.nextInt(40);
            var highest = new BestNumbers.HighestKeys(most);
            long[] keys = random.longs(random.nextInt(100), -20, 20).toArray();
            for (long key : keys) {
                highest.add(key);
            }

            assertThat(highest.isFull()).as("seed %d", seed).isEqualTo(keys.length >= most);
            if (highest.isFull()) {
                long[] rising = Arrays.stream(keys).sorted().toArray();
                assertThat(highest.least()).isEqualTo(rising[rising.length - most]);
            }
        }
    }
}
