package org.crabro.content.storage.dead;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;

import java.lang.foreign.MemorySegment;
import org.crabro.content.storage.layout.RunLayout;

/**
 * The part of a run file that lists superseded rows: rows of older runs that have a newer version
 * in this run. The entries are sorted by run number and address.
 */
public final class SupersededRows {
    public static final SupersededRows NONE = new SupersededRows(MemorySegment.NULL);

    private final MemorySegment entries;
    private final int count;

    /**
     * @param entries run, block and row of each, in the layout of {@link RunLayout}
     */
    public SupersededRows(MemorySegment entries) {
        this.entries = entries;
        this.count = Math.toIntExact(entries.byteSize() / RunLayout.SUPERSEDED_SIZE);
    }

    public int count() {
        return count;
    }

    /** Returns the run of the row in entry {@code index}. */
    public long run(int index) {
        return entries.get(LONG, offset(index));
    }

    /** Returns the address of the row in entry {@code index}. */
    public long address(int index) {
        long at = offset(index) + Long.BYTES;
        return RunLayout.address(entries.get(INT, at), entries.get(INT, at + Integer.BYTES));
    }

    /** Returns the index of the first entry of {@code run}, or of a run with a higher number. */
    public int from(long run) {
        return EntrySearch.firstOf(run, entries, RunLayout.SUPERSEDED_SIZE);
    }

    private static long offset(int index) {
        return (long) index * RunLayout.SUPERSEDED_SIZE;
    }
}
