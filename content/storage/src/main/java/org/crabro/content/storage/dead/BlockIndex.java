package org.crabro.content.storage.dead;

import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.content.storage.block.key.KeyColumn;

/** The blocks of one document type in a run, as the index of the run describes them. */
public interface BlockIndex {
    /** Returns the number of blocks. */
    int blockCount();

    /**
     * Returns the number of rows of a block.
     *
     * @param block counted from 0
     */
    int rowCount(int block);

    /** Returns the first key of each block. */
    KeyColumn firstKeys();

    /** Returns whether the index proves that all rows of a block are in {@code bounds}. */
    boolean isInside(int block, KeyBounds bounds);
}
