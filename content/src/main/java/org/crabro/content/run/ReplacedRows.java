package org.crabro.content.run;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Finds the rows of runs that younger rows replace, by merging over key columns: both sides are
 * read front to back, and what lies between two younger keys is stepped over.
 */
final class ReplacedRows {
    private final List<Run> older;
    private final TreeMap<Long, LongStream.Builder> found = new TreeMap<>();

    ReplacedRows(List<Run> older) {
        this.older = older;
    }

    /** Adds what the rows from {@code from} to before {@code to} of {@code younger} replace. */
    void add(EncodedBlock younger, int from, int to) {
        if (from >= to) {
            return;
        }
        for (Run run : older) {
            for (RunSection section : run.sections()) {
                if (section.type().name().equals(younger.documentType().name())) {
                    merge(run, section, younger.keys(), from, to);
                }
            }
        }
    }

    Supersedes finish() {
        var byRun = new TreeMap<Long, LongStream>();
        found.forEach((run, rows) -> byRun.put(run, rows.build()));
        return Supersedes.of(byRun);
    }

    private void merge(Run run, RunSection section, KeyColumn younger, int from, int to) {
        KeyColumn keys = null;
        int block = 0;
        int row = 0;
        for (int i = from; i < to; i++) {
            int last = section.lastNotBehind(block, younger, i);
            if (last < 0) {
                continue;
            }
            if (keys == null || last != block) {
                keys = section.block(last).keys();
                block = last;
                row = 0;
            }
            row = keys.firstNotBefore(row, younger, i);
            if (row < keys.rows() && keys.compare(row, younger, i) == 0) {
                found.computeIfAbsent(run.number(), _ -> LongStream.builder())
                        .add(RunLayout.address(section.firstBlock() + block, row));
            }
        }
    }
}
