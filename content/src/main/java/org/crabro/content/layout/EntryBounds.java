package org.crabro.content.layout;

/** The smallest and the largest number of a chunk, as its directory entry keeps them. */
public record EntryBounds(long min, long max) {
    /** Of chunks that hold something else than numbers. */
    public static final EntryBounds NONE = new EntryBounds(0, 0);
}
