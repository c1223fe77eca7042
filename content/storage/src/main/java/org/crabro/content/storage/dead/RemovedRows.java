package org.crabro.content.storage.dead;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;

import java.lang.foreign.MemorySegment;
import org.crabro.content.storage.layout.AddressRange;
import org.crabro.content.storage.layout.RunLayout;

/**
 * The part of a run file that lists removed rows: rows of older runs that the group tombstones of
 * this run remove. The entries are ranges, sorted by run number and address.
 */
public final class RemovedRows {
    public static final RemovedRows NONE = new RemovedRows(MemorySegment.NULL);

    private final MemorySegment entries;
    private final int count;

    /**
     * @param entries the run, the first row and the end of each, in the layout of {@link RunLayout}
     */
    public RemovedRows(MemorySegment entries) {
        this.entries = entries;
        this.count = Math.toIntExact(entries.byteSize() / RunLayout.REMOVED_SIZE);
    }

    public int count() {
        return count;
    }

    /** Returns the run of range {@code index}. */
    public long run(int index) {
        return entries.get(LONG, entry(index));
    }

    /** Returns the rows of range {@code index}. */
    public AddressRange rows(int index) {
        return new AddressRange(
                address(entry(index) + RunLayout.REMOVED_FROM),
                address(entry(index) + RunLayout.REMOVED_TO));
    }

    private long address(long at) {
        return RunLayout.address(entries.get(INT, at), entries.get(INT, at + Integer.BYTES));
    }

    /** Returns the index of the first range of {@code run}, or of a run with a higher number. */
    public int from(long run) {
        return EntrySearch.firstOf(run, entries, RunLayout.REMOVED_SIZE);
    }

    private static long entry(int index) {
        return (long) index * RunLayout.REMOVED_SIZE;
    }
}
