package org.crabro.content.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RetainedBytesTest {
    private static final long SEED = Long.getLong("crabro.seed", 20_26);
    private static final int STEP = 1 << 20;

    @Test
    void sumsTheEntriesAfterAnIndexUpToAMegabyteAndAnEntry() {
        var random = new Random(SEED);
        var retained = new RetainedBytes();
        int[] sizes = new int[2_000];
        long deleted = 0;
        for (int index = 1; index < sizes.length; index++) {
            sizes[index] = random.nextInt(40_000);
            retained.add(index, sizes[index]);
            if (random.nextInt(100) == 0) {
                deleted = random.nextLong(deleted, index + 1);
                retained.delete(deleted);
            }
            long after = random.nextLong(deleted, index + 1);
            long exact = 0;
            for (int i = (int) after + 1; i <= index; i++) {
                exact += sizes[i];
            }
            assertThat(retained.after(after))
                    .as("seed %d, entries from %d to %d", SEED, after, index)
                    .isBetween(exact, exact + STEP + 40_000);
        }
    }
}
