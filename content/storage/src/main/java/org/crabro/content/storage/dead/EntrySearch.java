package org.crabro.content.storage.dead;

import static org.crabro.content.storage.layout.BlockLayout.LONG;

import java.lang.foreign.MemorySegment;

/** Searches entries that begin with a run number and are sorted by it. */
final class EntrySearch {
    private EntrySearch() {}

    /**
     * Returns the index of the first entry of {@code run}, or of a run with a higher number.
     *
     * @param entrySize bytes of an entry
     */
    static int firstOf(long run, MemorySegment entries, int entrySize) {
        int low = 0;
        int high = Math.toIntExact(entries.byteSize() / entrySize);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (entries.get(LONG, (long) middle * entrySize) < run) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
