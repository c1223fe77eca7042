package org.crabro.content.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowSetTest {
    private static final int ROUNDS = 300;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    /** A set, and its rows. */
    private record Rows(RowSet set, SortedSet<Integer> rows) {}

    private Rows rows(int rowCount) {
        var rows = new TreeSet<Integer>();
        if (random.nextInt(10) == 0) {
            IntStream.range(0, rowCount).forEach(rows::add);
            return new Rows(RowSet.all(rowCount), rows);
        }
        for (int i = random.nextInt(2 * rowCount); i > 0; i--) {
            rows.add(random.nextInt(rowCount));
        }
        if (random.nextBoolean()) {
            int[] few = rows.stream().mapToInt(Integer::intValue).toArray();
            return new Rows(RowSet.ofFew(few, rowCount), rows);
        }
        var builder = new RowSet.Builder(rowCount);
        builder.add(NumberRows.NONE);
        rows.reversed().forEach(builder::add);
        return new Rows(builder.build(), rows);
    }

    private static @Nullable FixedBitSet bits(Set<Integer> rows, int rowCount) {
        if (rows.isEmpty()) {
            return null;
        }
        var bits = new FixedBitSet(rowCount);
        rows.forEach(bits::set);
        return bits;
    }

    @Test
    void hasTheRowsOfSetsOfObjects() {
        for (int round = 0; round < ROUNDS; round++) {
            int rowCount = 1 + random.nextInt(200);
            Rows a = rows(rowCount);
            Rows b = rows(rowCount);
            Set<Integer> dead = rows(rowCount).rows();
            var live = new LiveRows(bits(dead, rowCount), rowCount);
            var both = new TreeSet<>(a.rows());
            both.retainAll(b.rows());
            var left = new TreeSet<>(a.rows());
            left.removeAll(b.rows());
            var alive = new TreeSet<>(a.rows());
            alive.removeAll(dead);
            var bothAlive = new TreeSet<>(both);
            bothAlive.removeAll(dead);

            assertThat(a.set().rowCount()).as("seed %d", seed).isEqualTo(rowCount);
            assertThat(a.set().count(b.set(), live)).isEqualTo(bothAlive.size());
            assertThat(live.of(a.set())).containsExactly(array(alive));
            assertThat(IntStream.range(0, rowCount).filter(a.set().test()).toArray())
                    .containsExactly(array(a.rows()));
            assertThat(a.set().copy().evaluated().count(live)).isEqualTo(alive.size());
            assertThat(rows(a.set().copy().and(b.set().copy()))).containsExactly(array(both));
            assertThat(rows(a.set().copy().andNot(b.set()))).containsExactly(array(left));
            assertThat(rows(a.set())).as("not changed").containsExactly(array(a.rows()));
        }
    }

    private static int[] rows(RowSet set) {
        return new LiveRows(null, set.rowCount()).of(set);
    }

    private static int[] array(Set<Integer> rows) {
        return rows.stream().mapToInt(Integer::intValue).toArray();
    }
}
