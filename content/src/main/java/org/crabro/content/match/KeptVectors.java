package org.crabro.content.match;

import java.util.function.Supplier;
import org.crabro.content.run.Block;
import org.jspecify.annotations.Nullable;

/**
 * Quantized vectors of blocks whose vectors are compared again and again, as {@link BlockCache}
 * keeps them, outside the heap.
 *
 * <p>To make those of a block takes less than to compare its vectors {@value #SEARCHES_BEFORE}
 * times (docs/performance.md). So they are made once it was searched as often: whatever comes then,
 * at most twice the time is spent that the better way would have taken.
 */
public final class KeptVectors implements AutoCloseable {
    /** How many searches of a block come before its vectors are kept. */
    public static final int SEARCHES_BEFORE = 32;

    private final BlockCache<LentVectors> cache;

    /**
     * @param bytesMax how much is kept
     * @param searchesBefore how many searches of a block come before its vectors are kept
     */
    public KeptVectors(long bytesMax, int searchesBefore) {
        this.cache = new BlockCache<>(bytesMax, searchesBefore);
    }

    /** Returns one that keeps nothing. */
    public static KeptVectors none() {
        return new KeptVectors(0, Integer.MAX_VALUE);
    }

    /**
     * Lends the quantized vectors of a field of a block that is about to be searched; nothing where
     * they are not kept.
     *
     * @param mayMake whether they may be made now: if not, a later search makes them
     * @param make makes them
     */
    @Nullable LentVectors of(
            Block block, String field, boolean mayMake, Supplier<@Nullable LentVectors> make) {
        return cache.of(block, field, mayMake, make);
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
