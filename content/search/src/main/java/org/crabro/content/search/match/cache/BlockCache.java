package org.crabro.content.search.match.cache;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.crabro.content.storage.block.EncodedBlock;
import org.jspecify.annotations.Nullable;

/**
 * A cache of data computed from fields of blocks, with a size limit in bytes. It evicts the least
 * recently used entries first. Safe for use by many threads.
 *
 * @param <T> the cached data
 */
final class BlockCache<T extends BlockCache.Cached> {
    /** The approximate size of an entry without data, in bytes. */
    private static final long ENTRY_BYTES = 256;

    /**
     * After this many consecutive frequent searches of a block, the cache is not used for it. A
     * single frequent search may be a coincidence: two queries are at the same block.
     */
    private static final int SOON_IN_A_ROW = 4;

    private final long bytesMax;
    private final int searchesBefore;
    private final long apart;
    // Guarded by this, and so are its entries. In access order: the least recently used entry is
    // the first.
    private final Map<Key, Entry<T>> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;
    private boolean isClosed;

    /** Cached data of one field of a block. */
    interface Cached {
        /** Returns the size in bytes. */
        long byteSize();

        /**
         * Returns whether the data has been useful. If not, the cache drops it and does not compute
         * it again.
         */
        default boolean isOfUse() {
            return true;
        }

        /** Notes one more user of the data. Called while the data is in the cache. */
        default void lend() {}

        /** Notes that the data was removed from the cache. Some users may still read it. */
        default void drop() {}
    }

    private record Key(Object block, String field) {}

    private static final class Entry<T> {
        private int searches;
        private long askedAt;

        /** The number of consecutive frequent searches. The first search does not count. */
        private int soonInARow = -1;

        private boolean isTried;
        private @Nullable T value;
        private long size = ENTRY_BYTES;
    }

    /**
     * @param bytesMax the size limit in bytes
     * @param searchesBefore the number of searches of a block before data is computed from it
     * @param apart a search is frequent if less than this time, by the clock of {@link #of}, has
     *     passed since the last one; after several frequent searches, the cache is not used until
     *     one is not frequent
     */
    BlockCache(long bytesMax, int searchesBefore, long apart) {
        this.bytesMax = bytesMax;
        this.searchesBefore = searchesBefore;
        this.apart = apart;
    }

    /**
     * Returns the cached data of a field of a block that is about to be searched, on loan; null if
     * there is none.
     *
     * @param now the time on a clock of the caller
     * @param mayMake whether the data may be computed now; if not, a later search computes it
     * @param make computes the data, or returns null if that is not possible for the block
     */
    @Nullable T of(
            EncodedBlock block,
            String field,
            long now,
            boolean mayMake,
            Supplier<@Nullable T> make) {
        Object identity = bytesMax == 0 ? null : block.identity().orElse(null);
        if (identity == null) {
            return null;
        }
        var key = new Key(identity, field);
        synchronized (this) {
            Entry<T> entry = entries.get(key);
            if (entry == null) {
                if (isClosed) {
                    return null;
                }
                entry = new Entry<>();
                entries.put(key, entry);
                bytes += entry.size;
                dropWhatIsTooMuch();
            }
            entry.soonInARow = now - entry.askedAt < apart ? entry.soonInARow + 1 : 0;
            entry.askedAt = now;
            if (entry.soonInARow >= SOON_IN_A_ROW) {
                return null;
            }
            T cached = entry.value;
            if (cached != null && !cached.isOfUse()) {
                entry.value = null;
                entry.size -= cached.byteSize();
                bytes -= cached.byteSize();
                cached.drop();
                return null;
            }
            if (cached != null) {
                cached.lend();
                return cached;
            }
            entry.searches++;
            if (entry.searches <= searchesBefore || entry.isTried || !mayMake) {
                return null;
            }
            // Only once: one thread computes the data, and a failure is not repeated.
            entry.isTried = true;
        }
        T made = make.get();
        if (made != null) {
            keep(key, made);
        }
        return made;
    }

    private synchronized void keep(Key key, T made) {
        made.lend();
        Entry<T> entry = entries.get(key);
        // Meanwhile the entry may have been evicted and added again.
        if (entry == null || entry.value != null) {
            made.drop();
            return;
        }
        entry.value = made;
        entry.size += made.byteSize();
        bytes += made.byteSize();
        dropWhatIsTooMuch();
    }

    private void dropWhatIsTooMuch() {
        Iterator<Entry<T>> oldest = entries.values().iterator();
        while (bytes > bytesMax && oldest.hasNext()) {
            drop(oldest.next());
            oldest.remove();
        }
    }

    private void drop(Entry<T> entry) {
        bytes -= entry.size;
        if (entry.value != null) {
            entry.value.drop();
        }
    }

    /** Drops all entries and disables the cache. */
    synchronized void close() {
        isClosed = true;
        entries.values().forEach(this::drop);
        entries.clear();
    }

    /** Returns the approximate size of all entries in bytes. */
    synchronized long byteSize() {
        return bytes;
    }
}
