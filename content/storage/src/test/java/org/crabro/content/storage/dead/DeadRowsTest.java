package org.crabro.content.storage.dead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.crabro.content.storage.layout.RunLayout;
import org.junit.jupiter.api.Test;

class DeadRowsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int ROWS = 300;

    private final Random random = new Random(SEED);

    @Test
    void agreesWithABitSet() {
        for (int round = 0; round < 500; round++) {
            BitSet left = bits(random.nextInt(ROWS));
            BitSet right = bits(random.nextInt(3) * 40);
            BitSet both = (BitSet) left.clone();
            both.or(right);

            check(DeadRows.of(left.stream().toArray()), left);
            check(rows(left).and(rows(right)), both);
            check(rows(right).and(rows(left)), both);
        }
    }

    @Test
    void coversARangeOfRows() {
        for (int round = 0; round < 500; round++) {
            int from = random.nextInt(ROWS);
            int to = random.nextInt(ROWS);
            var bits = new BitSet();
            if (from < to) {
                bits.set(from, to);
            }

            check(DeadRows.between(from, to), bits);
        }
    }

    private void check(DeadRows rows, BitSet expected) {
        int from = random.nextInt(ROWS);
        int to = from + random.nextInt(ROWS - from + 1);
        BitSet live = new BitSet();
        live.set(from, to);
        live.andNot(expected);
        var into = new int[ROWS];

        assertThat(rows.isEmpty()).isEqualTo(expected.isEmpty());
        for (int row = 0; row < ROWS + 100; row++) {
            assertThat(rows.has(row)).as("row %d, seed %d", row, SEED).isEqualTo(expected.get(row));
        }
        assertThat(rows.count(from, to))
                .as("%d to %d, seed %d", from, to, SEED)
                .isEqualTo(to - from - live.cardinality());
        int count = rows.live(from, to, into);
        assertThat(Arrays.copyOf(into, count)).isEqualTo(live.stream().toArray());
    }

    private static DeadRows rows(BitSet bits) {
        long[] addresses = bits.stream().mapToLong(row -> RunLayout.address(7, row)).toArray();
        return DeadRows.of(addresses, 0, addresses.length);
    }

    private BitSet bits(int count) {
        var bits = new BitSet();
        for (int i = 0; i < count; i++) {
            bits.set(random.nextInt(ROWS));
        }
        return bits;
    }
}
