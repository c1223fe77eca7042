package org.crabro.content.search.match.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.ranking.kernel.Distances;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BlockCache} of quantized vectors of blocks, outside the heap.
 *
 * <p>Quantized vectors are useful if the original vectors are read from main memory. Vectors in the
 * processor's caches are compared faster in their original form, unless {@linkplain
 * Distances#areBytesFast() bytes are fast}. So, if bytes are not fast, a block with frequent
 * searches is not quantized.
 *
 * <p>Quantizing a block takes as long as 30 comparisons of its vectors if they are read from main
 * memory, and as long as 150 comparisons if they are in processor caches
 * (docs/lab/2026-11-23-neighbors-of-one-user.md). It is done after {@value #SEARCHES_BEFORE}
 * searches. Then the total time is at most 1.5 times that of the better choice, for any number of
 * further searches. In processor caches it is at most about three times.
 */
public final class VectorCache implements AutoCloseable {
    /** The number of searches of a block before its vectors are cached. */
    public static final int SEARCHES_BEFORE = 64;

    /**
     * A search of a block is frequent if fewer bytes of vectors were compared since the last one.
     */
    public static final long BYTES_BETWEEN = 24 << 20;

    private final BlockCache<CachedVectors> cache;

    /** The size of all vectors that were compared, in bytes of their original form. */
    private final AtomicLong compared = new AtomicLong();

    /**
     * @param bytesMax the size limit in bytes
     * @param searchesBefore the number of searches of a block before its vectors are cached
     * @param bytesBetween a search of a block is frequent if fewer bytes of vectors were compared
     *     since the last one
     */
    public VectorCache(long bytesMax, int searchesBefore, long bytesBetween) {
        this.cache = new BlockCache<>(bytesMax, searchesBefore, bytesBetween);
    }

    /** Returns a cache that stores nothing. */
    public static VectorCache none() {
        return new VectorCache(0, Integer.MAX_VALUE, 0);
    }

    /**
     * Borrows the quantized vectors of a field of a block that is about to be searched; null if
     * they are not cached, or not useful.
     *
     * @param bytes the size of the searched vectors in their original form
     * @param mayMake whether the vectors may be quantized now; if not, a later search does so
     * @param make quantizes the vectors
     */
    public @Nullable CachedVectors of(
            EncodedBlock block,
            String field,
            long bytes,
            boolean mayMake,
            Supplier<@Nullable CachedVectors> make) {
        return cache.of(block, field, compared.addAndGet(bytes), mayMake, make);
    }

    /** Returns the approximate size of the cache in bytes. */
    public long byteSize() {
        return cache.byteSize();
    }

    /** Disables the cache and frees all vectors as soon as their users have closed them. */
    @Override
    public void close() {
        cache.close();
    }
}
