package org.crabro.content.match;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.crabro.content.run.Block;
import org.crabro.content.run.TokenDictionary;
import org.crabro.content.run.TokenNumbers;
import org.jspecify.annotations.Nullable;

/**
 * The postings of blocks that are searched again and again, at most so many bytes of them: those
 * that were not asked for the longest go first. Safe for use by many threads.
 *
 * <p>To make the postings of a block takes about as long as to compare its token numbers with
 * {@value #SEARCHES_BEFORE} words. So they are made once it was searched for as many: whatever
 * comes then, at most twice the time is spent that the better way would have taken.
 */
public final class KeptPostings {
    /** How many searches of a block come before its postings are made. */
    public static final int SEARCHES_BEFORE = 64;

    /** What it takes to remember a block, about. */
    private static final long ENTRY_BYTES = 256;

    private final long bytesMax;
    private final int searchesBefore;
    // Guarded by this, as what is in it is; the one not asked for the longest is the first.
    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    private record Key(Object block, String field) {}

    private static final class Entry {
        private int searches;
        private @Nullable Postings postings;
        private long size = ENTRY_BYTES;
    }

    /**
     * @param bytesMax how much is kept
     * @param searchesBefore how many searches of a block come before its postings are made
     */
    public KeptPostings(long bytesMax, int searchesBefore) {
        this.bytesMax = bytesMax;
        this.searchesBefore = searchesBefore;
    }

    /** Returns one that keeps nothing. */
    public static KeptPostings none() {
        return new KeptPostings(0, Integer.MAX_VALUE);
    }

    /**
     * Returns the postings of a field of a block that is about to be searched for a word; nothing
     * where they are not kept, or the block is too large for them.
     *
     * @param dictionary of the field in the block
     * @param numbers of the same
     */
    @Nullable Postings of(
            Block block, String field, TokenDictionary dictionary, TokenNumbers numbers) {
        Object identity = bytesMax == 0 ? null : block.identity().orElse(null);
        if (identity == null) {
            return null;
        }
        var key = new Key(identity, field);
        synchronized (this) {
            Entry entry = entries.get(key);
            if (entry == null) {
                entry = new Entry();
                entries.put(key, entry);
                bytes += entry.size;
                dropWhatIsTooMuch();
            }
            // A block too large for postings is counted on, past the one time that they are made.
            if (entry.searches++ != searchesBefore) {
                return entry.postings;
            }
        }
        Postings made = Postings.of(numbers, block.rowCount(), dictionary.size());
        if (made != null) {
            keep(key, made);
        }
        return made;
    }

    private synchronized void keep(Key key, Postings made) {
        Entry entry = entries.get(key);
        if (entry != null) {
            entry.postings = made;
            entry.size += made.byteSize();
            bytes += made.byteSize();
            dropWhatIsTooMuch();
        }
    }

    private void dropWhatIsTooMuch() {
        Iterator<Entry> oldest = entries.values().iterator();
        while (bytes > bytesMax && oldest.hasNext()) {
            bytes -= oldest.next().size;
            oldest.remove();
        }
    }

    /** Returns how many bytes are kept, about. */
    public synchronized long byteSize() {
        return bytes;
    }
}
