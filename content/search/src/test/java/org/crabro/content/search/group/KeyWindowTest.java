package org.crabro.content.search.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that the groups found by key range are those that the table finds. */
class KeyWindowTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int COUNT = 500;

    private final GroupTable table = new GroupTable();
    private final KeyWindow window = new KeyWindow();
    private final int[] groups = new int[COUNT];

    @Test
    void batchesOfChangingParentsAndPlaces() {
        System.out.println("KeyWindowTest seed " + SEED);
        var random = new Random(SEED);
        var keys = new long[COUNT];
        var parents = new int[COUNT];
        int windows = 0;
        for (int batch = 0; batch < 400; batch++) {
            long base =
                    switch (random.nextInt(4)) {
                        case 0 -> 0;
                        case 1 -> Long.MIN_VALUE;
                        case 2 -> Long.MAX_VALUE - 2 * COUNT;
                        default -> random.nextInt(3_000);
                    };
            int span = 1 + random.nextInt(random.nextBoolean() ? 40 : 2 * COUNT);
            int parent = random.nextInt(3);
            boolean isMixed = random.nextInt(5) == 0;
            int count = 1 + random.nextInt(COUNT);
            for (int i = 0; i < count; i++) {
                keys[i] = base + random.nextInt(span);
                parents[i] = isMixed ? random.nextInt(3) : parent;
            }
            Arrays.fill(groups, -7);
            if (window.find(table, keys, parents, count, groups)) {
                windows++;
                for (int i = 0; i < count; i++) {
                    assertEquals(table.find(parents[i], keys[i]), groups[i]);
                    assertEquals(keys[i], table.key(groups[i]));
                    assertEquals(parents[i], table.parent(groups[i]));
                }
            }
        }
        assertTrue(windows > 100, windows + " batches were looked up");
    }

    @Test
    void keysFarFromEachOtherAreLeftToTheTable() {
        assertFalse(window.find(table, new long[] {0, 1L << 40}, new int[2], 2, groups));
        assertFalse(
                window.find(
                        table, new long[] {Long.MIN_VALUE, Long.MAX_VALUE}, new int[2], 2, groups));
        assertFalse(window.find(table, new long[] {5, 5}, new int[] {0, 1}, 2, groups));
        assertTrue(window.find(table, new long[] {5, 5}, new int[] {1, 1}, 2, groups));
    }
}
