package org.crabro.content.storage.index;

import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.document.DocumentType;

/** The rows of one document type in a run, block by block, as an index numbers them. */
public interface SectionRows {
    /** Returns the type that the rows were written with. */
    DocumentType type();

    /** Returns the number of blocks. */
    int blockCount();

    /** Returns the number of rows of a block. */
    int rowCount(int block);

    /**
     * Returns a block.
     *
     * @throws CorruptRunException if its header is damaged
     */
    EncodedBlock block(int block);

    /** Returns the number of rows of all blocks. */
    default int rowTotal() {
        int rows = 0;
        for (int block = 0; block < blockCount(); block++) {
            rows += rowCount(block);
        }
        return rows;
    }
}
