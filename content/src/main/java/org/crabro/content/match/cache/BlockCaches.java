package org.crabro.content.match.cache;

/** What searches make of blocks that are searched again and again, for those after them. */
public record BlockCaches(PostingsCache postings, VectorCache vectors) {
    /** Returns one that keeps nothing. */
    public static BlockCaches none() {
        return new BlockCaches(PostingsCache.none(), VectorCache.none());
    }
}
