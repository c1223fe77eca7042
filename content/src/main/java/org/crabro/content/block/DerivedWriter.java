package org.crabro.content.block;

import java.lang.foreign.MemorySegment;

/** Collects what is made of the values of a field, row by row, and writes it beside them. */
interface DerivedWriter {
    /**
     * Returns whether the chunks lie before the values. Small ones of wide values do: a query that
     * needs them, and few of the values, finds them together with the keys.
     */
    boolean isBeforeValues();

    /**
     * Takes the value of a row.
     *
     * @param row behind all rows of the block that have a value so far
     * @param encoded a row as {@link org.crabro.protocol.encoding.RowEncoding} tells
     * @param offset of the value in it
     */
    void add(int row, MemorySegment encoded, long offset);

    /**
     * Takes the value of a row that lies in another block, with what is kept there of it.
     *
     * @param source the same object for all rows of a block
     */
    void copy(int row, MemorySegment encoded, long offset, EncodedBlock source, int sourceRow);

    /**
     * Makes the chunks of a block.
     *
     * @param rows how many it has
     * @param chunks is told of those that {@link #writeTo} will write: none where no row has a
     *     value
     */
    void prepare(int rows, BlockChunks chunks);

    /** Writes the chunks, and begins the next block. Comes behind {@link #prepare}. */
    void writeTo(BlockChunks chunks);
}
