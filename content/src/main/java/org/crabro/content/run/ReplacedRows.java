package org.crabro.content.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of runs that younger rows replace, by merging over key columns: both sides are
 * read front to back, and what lies between two younger keys is stepped over. Of most keys that a
 * run does not have its filter says so, and nothing else of the run is read.
 *
 * <p>All older versions of a document are found, also those that another run replaces already: so
 * the file that holds the newest version names all others, whatever becomes of the files between.
 */
final class ReplacedRows {
    private final List<RunPart> older;
    private final QueryReads reads;
    private final TreeMap<Long, LongSequence> found = new TreeMap<>();

    // Blocks whose keys cannot be read, by run and number in it.
    private final Map<Long, Map<Integer, CorruptRunException>> unknown = new HashMap<>();

    /**
     * @param reads is told what comes from the device
     */
    ReplacedRows(List<RunPart> older, QueryReads reads) {
        this.older = older;
        this.reads = reads;
    }

    /** Adds what the rows from {@code from} to before {@code to} of {@code younger} replace. */
    void add(EncodedBlock younger, int from, int to) {
        if (from >= to) {
            return;
        }
        for (RunPart part : older) {
            for (RunSection section : part.run().sections()) {
                if (section.type().name().equals(younger.documentType().name())) {
                    merge(part, section, younger.keys(), from, to);
                }
            }
        }
    }

    /** Adds a row of a run. */
    void add(long run, long address) {
        found.computeIfAbsent(run, _ -> new LongSequence()).add(address);
    }

    /** Returns what was found, and in which blocks nothing could be looked up. */
    Supersedes finish() {
        return Supersedes.of(found, unknown);
    }

    /** Returns the keys of a block, or null where it is known by now that they cannot be read. */
    private @Nullable KeyColumn keys(RunPart part, RunSection section, int block) {
        long run = part.run().number();
        int number = section.firstBlock() + block;
        if (unknown.getOrDefault(run, Map.of()).containsKey(number)) {
            return null;
        }
        try {
            return section.block(block, reads).keys();
        } catch (CorruptRunException e) {
            unknown.computeIfAbsent(run, _ -> new HashMap<>()).put(number, e);
            return null;
        }
    }

    private void merge(RunPart part, RunSection section, KeyColumn younger, int from, int to) {
        KeyColumn keys = null;
        int block = 0;
        int row = 0;
        for (int i = from; i < to; i++) {
            long hash = RunFilter.hash(younger.place(i), younger.document(i));
            if (!part.entry().holds(younger.place(i)) || !part.run().mayHave(hash, reads)) {
                continue;
            }
            int last = section.lastNotBehind(block, younger, i);
            if (last < 0) {
                continue;
            }
            if (keys == null || last != block) {
                block = last;
                row = 0;
                keys = keys(part, section, block);
            }
            if (keys == null) {
                continue;
            }
            row = keys.firstNotBefore(row, younger, i);
            if (row < keys.rows() && keys.compare(row, younger, i) == 0) {
                add(part.run().number(), RunLayout.address(section.firstBlock() + block, row));
            }
        }
    }
}
