package org.crabro.content.storage.dead;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.layout.LongSequence;
import org.crabro.content.storage.layout.RunLayout;

/**
 * Replaced rows of several runs, by run. If the keys of a block cannot be read, the block is listed
 * with the reason, because its replaced rows are unknown. Immutable.
 */
public final class ReplacedRows {
    /** No row. */
    public static final ReplacedRows NONE = new ReplacedRows(new TreeMap<>(), Map.of());

    private static final long[] NO_ROWS = new long[0];

    // By run number: ascending addresses of RunLayout.
    private final SortedMap<Long, long[]> byRun;

    private final Map<Long, Map<Integer, CorruptRunException>> unknown;

    private ReplacedRows(
            SortedMap<Long, long[]> byRun, Map<Long, Map<Integer, CorruptRunException>> unknown) {
        this.byRun = byRun;
        this.unknown = unknown;
    }

    /**
     * Returns the rows with these addresses.
     *
     * @param byRun addresses by run number; in any order, with duplicates
     * @param unknown why blocks could not be searched, by run number and block; not copied
     */
    public static ReplacedRows of(
            Map<Long, LongSequence> byRun, Map<Long, Map<Integer, CorruptRunException>> unknown) {
        var sorted = new TreeMap<Long, long[]>();
        byRun.forEach((run, rows) -> {
            if (rows.count() > 0) {
                sorted.put(run, rows.toSortedArray());
            }
        });
        return sorted.isEmpty() && unknown.isEmpty() ? NONE : new ReplacedRows(sorted, unknown);
    }

    /** Returns the rows that are among any of {@code all}. */
    public static ReplacedRows union(List<ReplacedRows> all) {
        List<ReplacedRows> some = all.stream().filter(each -> !each.isEmpty()).toList();
        if (some.size() == 1) {
            return some.getFirst();
        }
        var rows = new HashMap<Long, LongSequence>();
        var unknown = new HashMap<Long, Map<Integer, CorruptRunException>>();
        for (ReplacedRows each : some) {
            each.byRun.forEach((run, addresses) ->
                    rows.computeIfAbsent(run, _ -> new LongSequence()).addAll(addresses));
            each.unknown.forEach((run, blocks) ->
                    unknown.computeIfAbsent(run, _ -> new HashMap<>()).putAll(blocks));
        }
        return of(rows, unknown);
    }

    /** Returns the number of known rows. */
    public int count() {
        return byRun.values().stream().mapToInt(rows -> rows.length).sum();
    }

    public boolean isEmpty() {
        return byRun.isEmpty() && unknown.isEmpty();
    }

    /**
     * Returns the addresses by run number, both ascending: of rows, and {@link RunLayout#ANY_ROW}
     * for blocks whose replaced rows are unknown.
     */
    public SortedMap<Long, long[]> entries() {
        if (unknown.isEmpty()) {
            return Collections.unmodifiableSortedMap(byRun);
        }
        var all = new TreeMap<>(byRun);
        unknown.forEach((run, blocks) ->
                all.merge(
                        run,
                        blocks.keySet().stream()
                                .mapToLong(block -> RunLayout.address(block, RunLayout.ANY_ROW))
                                .sorted()
                                .toArray(),
                        ReplacedRows::together));
        return all;
    }

    private static long[] together(long[] rows, long[] more) {
        return LongStream.concat(Arrays.stream(rows), Arrays.stream(more)).sorted().toArray();
    }

    /** Returns the rows of one block. */
    public DeadRows rows(long run, int block) {
        long[] all = byRun.getOrDefault(run, NO_ROWS);
        int from = position(all, RunLayout.address(block, 0));
        int to = position(all, RunLayout.address(block + 1, 0));
        return DeadRows.of(all, from, to);
    }

    /**
     * Returns the addresses of the known rows of a run, ascending.
     *
     * @param from the first block
     * @param to the end of the blocks, exclusive
     */
    public long[] addresses(long run, int from, int to) {
        long[] all = byRun.getOrDefault(run, NO_ROWS);
        return Arrays.copyOfRange(
                all,
                position(all, RunLayout.address(from, 0)),
                position(all, RunLayout.address(to, 0)));
    }

    /** Returns whether the replaced rows of all blocks of all runs are known. */
    public boolean areKnown() {
        return unknown.isEmpty();
    }

    /** Returns whether the replaced rows of all blocks of a run are known. */
    public boolean areKnown(long run) {
        return !unknown.containsKey(run);
    }

    /** Returns why the replaced rows of a block are unknown; empty if they are known. */
    public Optional<CorruptRunException> unknown(long run, int block) {
        // There are almost never any, and this is asked for each block.
        return unknown.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(unknown.getOrDefault(run, Map.of()).get(block));
    }

    private static int position(long[] sorted, long address) {
        int index = Arrays.binarySearch(sorted, address);
        return index >= 0 ? index : -index - 1;
    }
}
