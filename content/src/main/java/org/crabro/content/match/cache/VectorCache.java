package org.crabro.content.match.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.crabro.content.block.Block;
import org.crabro.ranking.kernel.Distances;
import org.jspecify.annotations.Nullable;

/**
 * Quantized vectors of blocks whose vectors are compared again and again, as {@link BlockCache}
 * keeps them, outside the heap.
 *
 * <p>They are of use where vectors come from memory. What lies in the processor's caches is
 * compared faster as it was fed, unless {@linkplain Distances#areBytesFast() bytes are fast}; so
 * where they are not, a block that is compared soon again and again is left alone.
 *
 * <p>To make those of a block takes as long as to compare its vectors thirty times where they come
 * from memory, and as long as to do so 150 times in caches
 * (docs/notes/2026-11-23-neighbors-of-one-user.md). They are made once it was searched {@value
 * #SEARCHES_BEFORE} times: whatever comes then, at most half as much time again is spent as the
 * better way would have taken, and in caches three times as much.
 */
public final class VectorCache implements AutoCloseable {
    /** How many searches of a block come before its vectors are kept. */
    public static final int SEARCHES_BEFORE = 64;

    /** A search of a block comes soon where fewer bytes of vectors were compared since the last. */
    public static final long BYTES_BETWEEN = 24 << 20;

    private final BlockCache<CachedVectors> cache;

    /** The bytes of all vectors that were compared, as they were fed, in whichever way. */
    private final AtomicLong compared = new AtomicLong();

    /**
     * @param bytesMax how much is kept
     * @param searchesBefore how many searches of a block come before its vectors are kept
     * @param bytesBetween a search of a block comes soon where fewer bytes of vectors were compared
     *     since the last
     */
    public VectorCache(long bytesMax, int searchesBefore, long bytesBetween) {
        this.cache = new BlockCache<>(bytesMax, searchesBefore, bytesBetween);
    }

    /** Returns one that keeps nothing. */
    public static VectorCache none() {
        return new VectorCache(0, Integer.MAX_VALUE, 0);
    }

    /**
     * Lends the quantized vectors of a field of a block that is about to be searched; nothing where
     * they are not kept, or of no use.
     *
     * @param bytes of those of its vectors that are searched, as they were fed
     * @param mayMake whether they may be made now: if not, a later search makes them
     * @param make makes them
     */
    public @Nullable CachedVectors of(
            Block block,
            String field,
            long bytes,
            boolean mayMake,
            Supplier<@Nullable CachedVectors> make) {
        return cache.of(block, field, compared.addAndGet(bytes), mayMake, make);
    }

    /** Returns how many bytes are kept, about. */
    public long byteSize() {
        return cache.byteSize();
    }

    /** Frees everything, as soon as those who look at it are done; nothing is kept any more. */
    @Override
    public void close() {
        cache.close();
    }
}
