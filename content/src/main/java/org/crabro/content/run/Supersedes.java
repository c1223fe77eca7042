package org.crabro.content.run;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Rows of runs that younger rows replace: which rows of which blocks. Immutable. */
public final class Supersedes {
    /** No row. */
    public static final Supersedes NONE = new Supersedes(new TreeMap<>());

    private static final long[] NO_ROWS = new long[0];

    // By run number: addresses as RunLayout makes them, rising.
    private final SortedMap<Long, long[]> byRun;

    private Supersedes(SortedMap<Long, long[]> byRun) {
        this.byRun = byRun;
    }

    /**
     * @param byRun addresses by run number; in any order, also twice
     */
    static Supersedes of(Map<Long, LongSequence> byRun) {
        var sorted = new TreeMap<Long, long[]>();
        byRun.forEach((run, rows) -> {
            if (rows.count() > 0) {
                sorted.put(run, rows.toSortedArray());
            }
        });
        return sorted.isEmpty() ? NONE : new Supersedes(sorted);
    }

    /** Returns how many rows there are. */
    public int count() {
        return byRun.values().stream().mapToInt(rows -> rows.length).sum();
    }

    public boolean isEmpty() {
        return byRun.isEmpty();
    }

    /** Returns the addresses by run number, both rising. */
    SortedMap<Long, long[]> byRun() {
        return Collections.unmodifiableSortedMap(byRun);
    }

    /** Returns the rows of one block that are in this. */
    DeadRows rows(long run, int block) {
        long[] all = byRun.getOrDefault(run, NO_ROWS);
        int from = position(all, RunLayout.address(block, 0));
        int to = position(all, RunLayout.address(block + 1, 0));
        return DeadRows.of(all, from, to);
    }

    private static int position(long[] sorted, long address) {
        int found = Arrays.binarySearch(sorted, address);
        return found >= 0 ? found : -found - 1;
    }
}
