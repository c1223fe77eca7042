package org.crabro.content.run;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

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
    static Supersedes of(Map<Long, LongStream> byRun) {
        var sorted = new TreeMap<Long, long[]>();
        byRun.forEach((run, rows) -> sorted.put(run, rows.sorted().distinct().toArray()));
        sorted.values().removeIf(rows -> rows.length == 0);
        return sorted.isEmpty() ? NONE : new Supersedes(sorted);
    }

    /** Returns how many rows there are. */
    public int count() {
        return byRun.values().stream().mapToInt(rows -> rows.length).sum();
    }

    public boolean isEmpty() {
        return byRun.isEmpty();
    }

    /** Returns the rows that are in this, in {@code that}, or in both. */
    public Supersedes and(Supersedes that) {
        if (isEmpty() || that.isEmpty()) {
            return isEmpty() ? that : this;
        }
        var both = new TreeMap<Long, LongStream>();
        byRun.forEach((run, rows) -> both.put(run, Arrays.stream(rows)));
        that.byRun.forEach((run, rows) -> both.merge(run, Arrays.stream(rows), LongStream::concat));
        return of(both);
    }

    /** Returns the addresses by run number, both rising. */
    SortedMap<Long, long[]> byRun() {
        return Collections.unmodifiableSortedMap(byRun);
    }

    /** Returns the addresses in one run that are in this, rising; not to be written to. */
    long[] rows(long run) {
        return byRun.getOrDefault(run, NO_ROWS);
    }

    /** Returns the rows of one block that are in this, rising. */
    int[] rows(long run, int block) {
        long[] all = rows(run);
        int from = position(all, RunLayout.address(block, 0));
        int to = position(all, RunLayout.address(block + 1, 0));
        var rows = new int[to - from];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = RunLayout.row(all[from + i]);
        }
        return rows;
    }

    private static int position(long[] sorted, long address) {
        int found = Arrays.binarySearch(sorted, address);
        return found >= 0 ? found : -found - 1;
    }
}
