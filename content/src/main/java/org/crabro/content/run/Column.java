package org.crabro.content.run;

import java.lang.foreign.MemorySegment;
import org.crabro.tensor.TensorType;

/**
 * The values of one field in the rows of a block, where they lie: in a mapping or in memory. All
 * numbers are little-endian. Valid as long as the view that gave the block is open.
 */
public sealed interface Column {
    /** Returns which rows have a value. */
    Presence presence();

    /** Returns the bytes of the column, for the cost record. */
    long byteSize();

    /** How numbers are kept. */
    enum NumberKind {
        INT,
        LONG,
        FLOAT,
        DOUBLE
    }

    /**
     * Numbers, one after another.
     *
     * @param values one per row, 4 or 8 bytes; a row without a value holds 0
     */
    record Numbers(NumberKind kind, MemorySegment values, Presence presence) implements Column {
        @Override
        public long byteSize() {
            return values.byteSize();
        }
    }

    /**
     * Booleans.
     *
     * @param values one byte per row, 0 or 1
     */
    record Booleans(MemorySegment values, Presence presence) implements Column {
        @Override
        public long byteSize() {
            return values.byteSize();
        }
    }

    /**
     * Strings, raw.
     *
     * @param starts {@code rows + 1} 32-bit offsets into {@code bytes}
     * @param bytes UTF-8 texts, one after another
     */
    record Texts(MemorySegment starts, MemorySegment bytes, Presence presence) implements Column {
        @Override
        public long byteSize() {
            return starts.byteSize() + bytes.byteSize();
        }
    }

    /**
     * Arrays of strings.
     *
     * @param firsts {@code rows + 1} 32-bit numbers: the index of a row's first element
     * @param starts {@code elements + 1} 32-bit offsets into {@code bytes}
     * @param bytes UTF-8 texts of the elements, one after another
     */
    record TextArrays(
            MemorySegment firsts, MemorySegment starts, MemorySegment bytes, Presence presence)
            implements Column {
        @Override
        public long byteSize() {
            return firsts.byteSize() + starts.byteSize() + bytes.byteSize();
        }
    }

    /**
     * Dense tensors.
     *
     * @param cells one row of cells after another, in the type's own cell type, aligned to 64 bytes
     *     where the column has 4 KiB or more; a row without a value holds zeros
     */
    record DenseTensors(TensorType type, MemorySegment cells, Presence presence) implements Column {
        /** Returns the bytes of a row's cells. */
        long width() {
            return (long) type.cellCount() * type.cellType().size();
        }

        @Override
        public long byteSize() {
            return cells.byteSize();
        }
    }
}
