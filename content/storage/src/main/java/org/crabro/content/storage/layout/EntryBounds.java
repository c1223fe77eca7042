package org.crabro.content.storage.layout;

/** The smallest and the largest number of a chunk, in the form of its directory entry. */
public record EntryBounds(long min, long max) {
    /** For chunks without numbers. */
    public static final EntryBounds NONE = new EntryBounds(0, 0);
}
