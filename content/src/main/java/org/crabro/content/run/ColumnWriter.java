package org.crabro.content.run;

import java.lang.foreign.MemorySegment;
import org.crabro.document.Field;

/**
 * Collects the values of one field, row by row, from encoded rows, and writes them as chunks of a
 * block. Memory is used again for the next block, and nothing is allocated per row.
 */
interface ColumnWriter {
    /**
     * Takes the value of a row.
     *
     * @param row behind all rows of the block that have a value so far
     * @param encoded a row as {@link org.crabro.protocol.encoding.RowEncoding} tells
     * @param offset of the value in it
     * @param length of the value
     */
    void add(int row, MemorySegment encoded, long offset, long length);

    /**
     * Decides how the values are kept.
     *
     * @param rows how many the block has
     * @return how many chunks {@link #writeTo} will write: none where no row has a value
     */
    int prepare(int rows);

    /** Writes the chunks, and forgets the values. Comes behind {@link #prepare}. */
    void writeTo(BlockChunks chunks);

    /** Returns what collects the values of the field at {@code index} of a type. */
    static ColumnWriter of(Field field, int index) {
        ChunkEncoding encoding = ChunkEncoding.of(field.type());
        return switch (encoding) {
            case INT, LONG, FLOAT, DOUBLE, BOOL, TENSOR ->
                    new FixedColumnWriter(encoding, index, encoding.width(field.type()));
            case TEXT -> new TextColumnWriter(index);
            case TEXT_ARRAY -> new TextArrayColumnWriter(index);
            case KEYS, TIMESTAMPS, TOMBSTONES ->
                    throw new IllegalStateException("no field's encoding: " + encoding);
        };
    }
}
