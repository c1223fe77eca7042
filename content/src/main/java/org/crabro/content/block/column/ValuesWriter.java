package org.crabro.content.block.column;

import java.lang.foreign.MemorySegment;
import org.crabro.content.layout.BlockBytes;
import org.crabro.content.layout.BlockLayout;
import org.crabro.content.layout.ChunkEncoding;
import org.crabro.content.layout.EntryBounds;
import org.crabro.content.layout.RowBits;

/**
 * Collects values of one type, of the rows of a block or of the elements of their values, and
 * writes them one behind another. Memory is used again for the next block, and nothing is allocated
 * per value.
 */
public interface ValuesWriter {
    /**
     * Adds a value behind those that are there.
     *
     * @param encoded a row as {@link org.crabro.protocol.encoding.RowEncoding} tells
     * @param offset of the value in it
     * @return the offset behind the value
     */
    long add(MemorySegment encoded, long offset);

    /** Adds what stands for a missing value until there are {@code count}. */
    void fillTo(int count);

    /** Returns how many values there are. */
    int count();

    /** Decides how the values are kept. Nothing is added behind this before {@link #clear}. */
    void prepare();

    /** Returns how the values are kept, since {@link #prepare}. */
    ChunkEncoding encoding();

    /** Returns the bytes that {@link #writeTo} will write, since {@link #prepare}. */
    long size();

    /** Writes the values, as {@link BlockLayout} tells for their encoding. */
    void writeTo(BlockBytes out);

    /**
     * Writes the values as a child in which every value is present.
     *
     * @param offset how many bytes of the parent's values precede it
     */
    default void writeAsChild(BlockBytes out, long offset) {
        BlockLayout.writeChildHeader(out, offset, encoding().code(), false, size());
        writeTo(out);
    }

    /**
     * Returns between which numbers the values lie, as a directory entry keeps it.
     *
     * @param present which of the values count
     */
    default EntryBounds bounds(RowBits present) {
        return EntryBounds.NONE;
    }

    /** Forgets all values. */
    void clear();
}
