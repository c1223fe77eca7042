package org.crabro.content.block.column;

/** How strings of a block may be kept. */
public enum TextStorage {
    /** As they are: in memory. */
    RAW,

    /** As they are or compressed: where words are looked for, and whole values are only shown. */
    COMPRESSED,

    /** Also as codes: where whole values are compared. */
    CODED
}
