package org.crabro.content.storage.block;

import java.lang.foreign.MemorySegment;

/**
 * Collects data derived from the values of a field, row by row, and writes it as chunks next to
 * them.
 */
interface DerivedWriter {
    /**
     * Returns whether the chunks come before the values. This is useful for small chunks of wide
     * values: a query that reads them, and few of the values, reads them together with the keys.
     */
    boolean isBeforeValues();

    /**
     * Adds the value of a row.
     *
     * @param row after all rows of the block that have a value so far
     * @param encoded a row in the format of {@link org.crabro.protocol.encoding.RowEncoding}
     * @param offset of the value in it
     */
    void add(int row, MemorySegment encoded, long offset);

    /**
     * Adds the value of a row of another block, with the derived data stored there.
     *
     * @param source the same object for all rows of a block
     */
    void copy(int row, MemorySegment encoded, long offset, EncodedBlock source, int sourceRow);

    /**
     * Prepares the chunks of a block.
     *
     * @param rows the number of its rows
     * @param chunks receives the lengths of the chunks that {@link #writeTo} will write: none if no
     *     row has a value
     */
    void prepare(int rows, BlockChunks chunks);

    /** Writes the chunks, and begins the next block. Called after {@link #prepare}. */
    void writeTo(BlockChunks chunks);
}
