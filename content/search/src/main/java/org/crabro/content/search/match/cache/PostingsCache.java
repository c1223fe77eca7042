package org.crabro.content.search.match.cache;

import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BlockCache} of the postings of blocks.
 *
 * <p>Computing the postings of a block takes about as long as comparing its token numbers with
 * {@value #SEARCHES_BEFORE} words. So they are computed after this many searches. Then the total
 * time is at most twice that of the better choice, for any number of further searches.
 */
public final class PostingsCache {
    /** The number of searches of a block before its postings are computed. */
    public static final int SEARCHES_BEFORE = 64;

    private final BlockCache<Postings> cache;

    /**
     * @param bytesMax the size limit in bytes
     * @param searchesBefore the number of searches of a block before its postings are computed
     */
    public PostingsCache(long bytesMax, int searchesBefore) {
        this.cache = new BlockCache<>(bytesMax, searchesBefore, 0);
    }

    /** Returns a cache that stores nothing. */
    public static PostingsCache none() {
        return new PostingsCache(0, Integer.MAX_VALUE);
    }

    /**
     * Returns the postings of a field of a block that is about to be searched for a word. Returns
     * null if they are not cached, or the block is too large for postings.
     *
     * @param dictionary the dictionary of the field in the block
     * @param numbers the token numbers of the field in the block
     */
    public @Nullable Postings of(
            EncodedBlock block, String field, TokenDictionary dictionary, TokenNumbers numbers) {
        return cache.of(
                block,
                field,
                0,
                true,
                () -> Postings.of(numbers, block.rowCount(), dictionary.size()));
    }

    /** Returns the approximate size of the cache in bytes. */
    public long byteSize() {
        return cache.byteSize();
    }
}
