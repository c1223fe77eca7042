package org.crabro.content.match.cache;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.crabro.content.block.Block;
import org.jspecify.annotations.Nullable;

/**
 * What was made of fields of blocks that are searched again and again, at most so many bytes of it:
 * what was not asked for the longest goes first. Safe for use by many threads.
 *
 * @param <T> what is made
 */
final class BlockCache<T extends BlockCache.Cached> {
    /** What it takes to remember a block, about. */
    private static final long ENTRY_BYTES = 256;

    /**
     * After as many searches of a block in a row that came soon it is left alone: single ones come
     * soon where two queries happen to be at the same place.
     */
    private static final int SOON_IN_A_ROW = 4;

    private final long bytesMax;
    private final int searchesBefore;
    private final long apart;
    // Guarded by this, as what is in it is; the one not asked for the longest is the first.
    private final Map<Key, Entry<T>> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;
    private boolean isClosed;

    /** What is kept of a field of a block. */
    interface Cached {
        /** Returns the bytes that it takes. */
        long byteSize();

        /** Returns whether it has been of use: if not, it is dropped and not made again. */
        default boolean isOfUse() {
            return true;
        }

        /** Says that one more looks at it. It is kept at this moment. */
        default void lend() {}

        /** Says that it is kept no more; some may still look at it. */
        default void drop() {}
    }

    private record Key(Object block, String field) {}

    private static final class Entry<T> {
        private int searches;
        private long askedAt;

        /** Searches in a row that came soon; the first does not. */
        private int soonInARow = -1;

        private boolean isTried;
        private @Nullable T kept;
        private long size = ENTRY_BYTES;
    }

    /**
     * @param bytesMax how much is kept
     * @param searchesBefore how many searches of a block come before anything is made of it
     * @param apart searches of a block that are less apart, by the clock of {@link #of}, come soon:
     *     after some of them it is left alone until one does not
     */
    BlockCache(long bytesMax, int searchesBefore, long apart) {
        this.bytesMax = bytesMax;
        this.searchesBefore = searchesBefore;
        this.apart = apart;
    }

    /**
     * Returns what is kept of a field of a block that is about to be searched, lent; nothing where
     * nothing is.
     *
     * @param now on a clock of the caller's
     * @param mayMake whether it may be made now: if not, a later search makes it
     * @param make makes it, or returns nothing where the block is none to make it of
     */
    @Nullable T of(
            Block block, String field, long now, boolean mayMake, Supplier<@Nullable T> make) {
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
            T kept = entry.kept;
            if (kept != null && !kept.isOfUse()) {
                entry.kept = null;
                entry.size -= kept.byteSize();
                bytes -= kept.byteSize();
                kept.drop();
                return null;
            }
            if (kept != null) {
                kept.lend();
                return kept;
            }
            entry.searches++;
            if (entry.searches <= searchesBefore || entry.isTried || !mayMake) {
                return null;
            }
            // Once: by one thread, and not again where it cannot be made.
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
        // Meanwhile the block may have been forgotten, and met again.
        if (entry == null || entry.kept != null) {
            made.drop();
            return;
        }
        entry.kept = made;
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
        if (entry.kept != null) {
            entry.kept.drop();
        }
    }

    /** Drops everything, and keeps nothing any more. */
    synchronized void close() {
        isClosed = true;
        entries.values().forEach(this::drop);
        entries.clear();
    }

    /** Returns how many bytes are kept, about. */
    synchronized long byteSize() {
        return bytes;
    }
}
