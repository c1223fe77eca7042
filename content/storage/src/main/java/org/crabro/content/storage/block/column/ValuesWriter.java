package org.crabro.content.storage.block.column;

import java.lang.foreign.MemorySegment;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.ChunkEncoding;
import org.crabro.content.storage.layout.EntryBounds;
import org.crabro.content.storage.layout.RowBits;

/**
 * Collects values of one type, of the rows of a block or of the elements of their values, and
 * writes them one after another. The memory is reused for the next block, and no object is
 * allocated per value.
 */
public interface ValuesWriter {
    /**
     * Appends a value.
     *
     * @param encoded a row in the format of {@link org.crabro.protocol.encoding.RowEncoding}
     * @param offset of the value in it
     * @return the offset after the value
     */
    long add(MemorySegment encoded, long offset);

    /** Adds placeholders for missing values until there are {@code count}. */
    void fillTo(int count);

    /** Returns the number of values. */
    int count();

    /** Chooses the encoding of the values. No value is added after this until {@link #clear}. */
    void prepare();

    /** Returns the encoding of the values, after {@link #prepare}. */
    ChunkEncoding encoding();

    /** Returns the number of bytes that {@link #writeTo} will write, after {@link #prepare}. */
    long size();

    /** Writes the values in the layout of {@link BlockLayout} for their encoding. */
    void writeTo(BlockBytes out);

    /**
     * Writes the values as a child in which every value is present.
     *
     * @param offset the number of bytes of the parent's values before it
     */
    default void writeAsChild(BlockBytes out, long offset) {
        BlockLayout.writeChildHeader(out, offset, encoding().code(), false, size());
        writeTo(out);
    }

    /**
     * Returns the minimum and maximum of the values for the directory entry.
     *
     * @param present the values that count
     */
    default EntryBounds bounds(RowBits present) {
        return EntryBounds.NONE;
    }

    /** Removes all values. */
    void clear();
}
