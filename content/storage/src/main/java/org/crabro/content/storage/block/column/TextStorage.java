package org.crabro.content.storage.block.column;

/** The permitted storage of the strings of a block. */
public enum TextStorage {
    /** Uncompressed: in memory. */
    RAW,

    /**
     * Uncompressed or compressed: for fields that are searched by words and whose values are only
     * displayed.
     */
    COMPRESSED,

    /** Also as codes: for fields whose whole values are compared. */
    CODED
}
