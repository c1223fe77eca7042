package org.crabro.content.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One moment of a partition's runs: which there are, and which of their rows are dead. Immutable,
 * but for the count of those who look at it; while there is one, every run stays mapped.
 */
final class PublishedRuns {
    // Young to old; dead rows beside each run, by block.
    private final List<Run> runs;
    private final List<List<DeadRows>> dead;
    private final long liveRowCount;
    private final AtomicInteger holders = new AtomicInteger(1);

    private PublishedRuns(List<Run> runs, List<List<DeadRows>> dead) {
        this.runs = List.copyOf(runs);
        this.dead = List.copyOf(dead);
        this.liveRowCount = runs.stream().mapToLong(Run::rowCount).sum() - count(dead);
        runs.forEach(Run::hold);
    }

    private static long count(List<List<DeadRows>> dead) {
        return dead.stream()
                .flatMap(List::stream)
                .mapToLong(rows -> rows.count(0, Integer.MAX_VALUE))
                .sum();
    }

    /** Returns no runs. The caller holds what is returned. */
    static PublishedRuns none() {
        return new PublishedRuns(List.of(), List.of());
    }

    /** Returns these runs and one that is younger. The caller holds what is returned. */
    PublishedRuns with(Run younger) {
        var allRuns = new ArrayList<Run>();
        var allDead = new ArrayList<List<DeadRows>>();
        allRuns.add(younger);
        allDead.add(younger.tombstones());
        for (int i = 0; i < runs.size(); i++) {
            Run run = runs.get(i);
            allRuns.add(run);
            allDead.add(with(dead.get(i), run, younger));
        }
        return new PublishedRuns(allRuns, allDead);
    }

    private static List<DeadRows> with(List<DeadRows> dead, Run run, Run younger) {
        long[] addresses = younger.supersedes().rows(run.number());
        if (addresses.length == 0) {
            return dead;
        }
        var merged = new ArrayList<>(dead);
        int at = 0;
        while (at < addresses.length) {
            int block = RunLayout.block(addresses[at]);
            int[] rows = younger.supersedes().rows(run.number(), block);
            checkRows(younger, run, block, rows);
            merged.set(block, merged.get(block).and(DeadRows.of(rows)));
            at += rows.length;
        }
        return List.copyOf(merged);
    }

    private static void checkRows(Run younger, Run run, int block, int[] rows) {
        if (block < 0 || block >= run.blockCount() || rows[0] < 0) {
            throw new CorruptRunException(
                    younger.file(),
                    0,
                    "superseded rows in blocks that %s has".formatted(run.file()),
                    "row %d of block %d".formatted(rows[0], block));
        }
    }

    /** Returns the runs, young to old. */
    List<Run> runs() {
        return runs;
    }

    /** Returns how many rows are not dead. */
    long liveRowCount() {
        return liveRowCount;
    }

    /** Returns the dead rows of a block of the run at {@code index} of {@link #runs}. */
    DeadRows dead(int index, int block) {
        return dead.get(index).get(block);
    }

    /** Holds this once more, and returns whether it was not let go of already. */
    boolean tryHold() {
        int count = holders.get();
        while (count > 0) {
            int found = holders.compareAndExchange(count, count + 1);
            if (found == count) {
                return true;
            }
            count = found;
        }
        return false;
    }

    /** Lets this go; its runs are let go when nobody holds it. */
    void release() {
        int left = holders.decrementAndGet();
        assert left >= 0;
        if (left == 0) {
            runs.forEach(Run::release);
        }
    }
}
