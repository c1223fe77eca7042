package org.crabro.content.run;

/** The smallest and the largest number of a chunk, as its directory entry keeps them. */
record EntryBounds(long min, long max) {
    /** Of chunks that hold something else than numbers. */
    static final EntryBounds NONE = new EntryBounds(0, 0);
}
