package org.crabro.content.search.match.cache;

/** Caches of data that searches compute from blocks. */
public record BlockCaches(PostingsCache postings, VectorCache vectors) {
    /** Returns caches that store nothing. */
    public static BlockCaches none() {
        return new BlockCaches(PostingsCache.none(), VectorCache.none());
    }
}
