package org.crabro.content.storage.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.GroupColumn;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.dead.ReplacedRows;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.layout.LongSequence;
import org.crabro.content.storage.layout.RunLayout;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of older runs that newer rows supersede. It merges key columns from front to back
 * and skips the keys between two newer ones. The filter of a run excludes most keys that the run
 * does not have, and then no keys are read.
 *
 * <p>It finds all older versions of a document, including versions that another run supersedes. The
 * file with the newest version therefore lists all others, even if files between them are lost.
 */
final class ReplacedRowFinder {
    private final List<RunPart> older;
    private final ReadContext reads;
    private final TreeMap<Long, LongSequence> replaced = new TreeMap<>();

    // The hashes for the filters of the searched rows, and the indexes of the rows that a run may
    // have.
    private long[] hashes = new long[0];
    private int[] likely = new int[0];

    // The blocks whose keys cannot be read, by run and by number in it.
    private final Map<Long, Map<Integer, CorruptRunException>> unknown = new HashMap<>();

    /**
     * @param reads counts the bytes read from the device
     */
    ReplacedRowFinder(List<RunPart> older, ReadContext reads) {
        this.older = older;
        this.reads = reads;
    }

    /**
     * Adds the rows that the rows {@code from} to {@code to}, exclusive, of {@code younger}
     * replace.
     */
    void add(EncodedBlock younger, int from, int to) {
        if (from >= to || older.isEmpty()) {
            return;
        }
        KeyColumn keys = younger.keys();
        hash(keys, from, to);
        for (RunPart part : older) {
            int count = part.run().mayHave(hashes, to - from, likely, reads);
            Optional<Damage> lost = part.run().lost().rows();
            if (lost.isPresent() && isAnyIn(part, keys, from, count)) {
                addUnknown(
                        part.run().number(),
                        RunLayout.ANY_BLOCK,
                        new CorruptRunException(lost.get()));
            }
            for (RunSection section : part.run().sections()) {
                if (count > 0 && section.type().name().equals(younger.documentType().name())) {
                    merge(part, section, keys, from, count);
                }
            }
        }
    }

    private boolean isAnyIn(RunPart part, KeyColumn keys, int from, int count) {
        for (int i = 0; i < count; i++) {
            if (part.places().contains(keys.place(from + likely[i]))) {
                return true;
            }
        }
        return false;
    }

    private void hash(KeyColumn keys, int from, int to) {
        if (hashes.length < to - from) {
            hashes = new long[to - from];
            likely = new int[to - from];
        }
        GroupColumn groups = keys.groups();
        int group = groups.groupOf(from);
        int end = groups.firstRow(group + 1);
        long place = groups.place(group);
        for (int row = from; row < to; row++) {
            if (row == end) {
                group++;
                end = groups.firstRow(group + 1);
                place = groups.place(group);
            }
            hashes[row - from] = RunFilter.hash(place, keys.document(row));
        }
    }

    /** Adds a row of a run. */
    void add(long run, long address) {
        replaced.computeIfAbsent(run, _ -> new LongSequence()).add(address);
    }

    /**
     * Records that the replaced rows of a block are unknown.
     *
     * @param block its number in the run, or {@link RunLayout#ANY_BLOCK}
     */
    void addUnknown(long run, int block, CorruptRunException reason) {
        unknown.computeIfAbsent(run, _ -> new HashMap<>()).put(block, reason);
    }

    /** Returns the replaced rows, and the blocks that could not be searched. */
    ReplacedRows finish() {
        return ReplacedRows.of(replaced, unknown);
    }

    /** Returns the keys of a block, or null if they cannot be read. */
    private @Nullable KeyColumn keys(RunPart part, RunSection section, int block) {
        long run = part.run().number();
        int number = section.firstBlock() + block;
        if (unknown.getOrDefault(run, Map.of()).containsKey(number)) {
            return null;
        }
        try {
            return section.block(block, reads).keys();
        } catch (CorruptRunException e) {
            addUnknown(run, number, e);
            return null;
        }
    }

    private void merge(RunPart part, RunSection section, KeyColumn younger, int from, int count) {
        KeyColumn keys = null;
        int block = 0;
        int row = 0;
        for (int index = 0; index < count; index++) {
            int i = from + likely[index];
            if (!part.places().contains(younger.place(i))) {
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
