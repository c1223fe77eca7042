package org.crabro.content.match.cache;

import org.crabro.content.block.Block;
import org.crabro.content.block.token.TokenDictionary;
import org.crabro.content.block.token.TokenNumbers;
import org.jspecify.annotations.Nullable;

/**
 * The postings of blocks that are searched again and again, as {@link BlockCache} keeps them.
 *
 * <p>To make the postings of a block takes about as long as to compare its token numbers with
 * {@value #SEARCHES_BEFORE} words. So they are made once it was searched for as many: whatever
 * comes then, at most twice the time is spent that the better way would have taken.
 */
public final class PostingsCache {
    /** How many searches of a block come before its postings are made. */
    public static final int SEARCHES_BEFORE = 64;

    private final BlockCache<Postings> cache;

    /**
     * @param bytesMax how much is kept
     * @param searchesBefore how many searches of a block come before its postings are made
     */
    public PostingsCache(long bytesMax, int searchesBefore) {
        this.cache = new BlockCache<>(bytesMax, searchesBefore, 0);
    }

    /** Returns one that keeps nothing. */
    public static PostingsCache none() {
        return new PostingsCache(0, Integer.MAX_VALUE);
    }

    /**
     * Returns the postings of a field of a block that is about to be searched for a word; nothing
     * where they are not kept, or the block is too large for them.
     *
     * @param dictionary of the field in the block
     * @param numbers of the same
     */
    public @Nullable Postings of(
            Block block, String field, TokenDictionary dictionary, TokenNumbers numbers) {
        return cache.of(
                block,
                field,
                0,
                true,
                () -> Postings.of(numbers, block.rowCount(), dictionary.size()));
    }

    /** Returns how many bytes are kept, about. */
    public long byteSize() {
        return cache.byteSize();
    }
}
