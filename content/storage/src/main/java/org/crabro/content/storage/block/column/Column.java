package org.crabro.content.storage.block.column;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.document.FieldType;
import org.crabro.tensor.TensorType;

/**
 * The values of one field in the rows of a block, or the elements of such values, as a view of a
 * mapping or of memory. All numbers are little-endian. Valid while the view that returned the block
 * is open.
 */
public sealed interface Column {
    /** Returns which rows have a value. */
    Presence presence();

    /** Returns the size of the column for the cost record, in bytes. */
    long byteSize();

    /** The number types of a column. */
    enum NumberKind {
        INT,
        LONG,
        FLOAT,
        DOUBLE
    }

    /** Values that all have the same size. */
    sealed interface FixedWidth extends Column {}

    /**
     * Numbers, one after another.
     *
     * @param values one per row, 4 or 8 bytes; a row without a value holds 0
     */
    record Numbers(NumberKind kind, MemorySegment values, Presence presence) implements FixedWidth {
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
    record Booleans(MemorySegment values, Presence presence) implements FixedWidth {
        @Override
        public long byteSize() {
            return values.byteSize();
        }
    }

    /** Strings. {@link TextReader} reads them, independent of their storage. */
    sealed interface Texts extends Column {}

    /**
     * Uncompressed strings.
     *
     * @param starts a 32-bit offset into {@code bytes} per string, and one more
     * @param bytes UTF-8 texts, one after another
     */
    record RawTexts(MemorySegment starts, MemorySegment bytes, Presence presence) implements Texts {
        @Override
        public long byteSize() {
            return starts.byteSize() + bytes.byteSize();
        }
    }

    /**
     * Strings with few distinct values: codes of a dictionary, in the order of the strings' bytes.
     *
     * @param starts a 32-bit offset into {@code bytes} per distinct string, and one more
     * @param bytes UTF-8 of the distinct strings, one after another
     * @param codes one per string, of {@code codeSize} bytes; undefined for a row without a value
     */
    record CodedTexts(
            MemorySegment starts,
            MemorySegment bytes,
            MemorySegment codes,
            int codeSize,
            Presence presence)
            implements Texts {
        @Override
        public long byteSize() {
            return starts.byteSize() + bytes.byteSize() + codes.byteSize();
        }

        /** Returns the number of distinct strings. */
        public int valueCount() {
            return (int) (starts.byteSize() / Integer.BYTES) - 1;
        }

        /** Returns the code of the string at {@code index}. */
        public int code(int index) {
            return switch (codeSize) {
                case Byte.BYTES -> Byte.toUnsignedInt(codes.get(ValueLayout.JAVA_BYTE, index));
                case Short.BYTES -> Short.toUnsignedInt(codes.get(BlockLayout.SHORT, 2L * index));
                default -> codes.get(BlockLayout.INT, 4L * index);
            };
        }
    }

    /**
     * Strings compressed in frames.
     *
     * @param starts a 32-bit offset into the decompressed strings per string, and one more
     */
    record FramedTexts(MemorySegment starts, TextFrames frames, Presence presence)
            implements Texts {
        @Override
        public long byteSize() {
            return starts.byteSize() + frames.byteSize();
        }
    }

    /** Values of several parts, which are columns themselves. */
    sealed interface Nested extends Column {}

    /**
     * Arrays.
     *
     * @param firsts a 32-bit number per value and one more: the index of a value's first element
     * @param elements the elements of all values, one after another
     */
    record Arrays(MemorySegment firsts, Column elements, Presence presence) implements Nested {
        @Override
        public long byteSize() {
            return firsts.byteSize() + elements.byteSize();
        }

        /**
         * Returns the index of the first element of a value. The value ends at the first element of
         * the next.
         */
        public int first(int value) {
            return firsts.get(BlockLayout.INT, 4L * value);
        }
    }

    /**
     * Weighted sets.
     *
     * @param firsts a 32-bit number per value and one more: the index of a value's first element
     * @param elements the elements of all values, one after another
     * @param weights one per element
     */
    record WeightedSets(MemorySegment firsts, Column elements, Numbers weights, Presence presence)
            implements Nested {
        @Override
        public long byteSize() {
            return firsts.byteSize() + elements.byteSize() + weights.byteSize();
        }

        /**
         * Returns the index of the first element of a value. The value ends at the first element of
         * the next.
         */
        public int first(int value) {
            return firsts.get(BlockLayout.INT, 4L * value);
        }
    }

    /**
     * Maps.
     *
     * @param firsts a 32-bit number per value and one more: the index of a value's first key
     * @param keys the keys of all maps, one after another
     * @param values one per key
     */
    record Maps(MemorySegment firsts, Column keys, Column values, Presence presence)
            implements Nested {
        @Override
        public long byteSize() {
            return firsts.byteSize() + keys.byteSize() + values.byteSize();
        }

        /**
         * Returns the index of the first key of a map. The map ends at the first key of the next.
         */
        public int first(int value) {
            return firsts.get(BlockLayout.INT, 4L * value);
        }
    }

    /**
     * Structs.
     *
     * @param fields in the order of the type; empty for a field that no struct has
     */
    record Structs(FieldType.StructOf type, List<Optional<Column>> fields, Presence presence)
            implements Nested {
        public Structs {
            fields = List.copyOf(fields);
        }

        @Override
        public long byteSize() {
            return fields.stream().flatMap(Optional::stream).mapToLong(Column::byteSize).sum();
        }
    }

    /**
     * Tensors with mapped dimensions. A subspace holds the cells of one combination of labels.
     *
     * @param firsts a 32-bit number per value and one more: the index of a value's first subspace
     * @param labels a column per mapped dimension, in the order of the type: a label per subspace
     * @param cells the cells of all subspaces, one after another, in the type's own cell type
     */
    record MixedTensors(
            TensorType type,
            MemorySegment firsts,
            List<Texts> labels,
            MemorySegment cells,
            Presence presence)
            implements Nested {
        public MixedTensors {
            labels = List.copyOf(labels);
        }

        @Override
        public long byteSize() {
            return firsts.byteSize()
                    + labels.stream().mapToLong(Column::byteSize).sum()
                    + cells.byteSize();
        }

        /**
         * Returns the index of the first subspace of a value. The value ends at the first subspace
         * of the next.
         */
        public int first(int value) {
            return firsts.get(BlockLayout.INT, 4L * value);
        }
    }

    /**
     * Dense tensors.
     *
     * @param cells one row of cells after another, in the type's own cell type, aligned to 64 bytes
     *     if the column has 4 KiB or more; a row without a value holds zeros
     */
    record DenseTensors(TensorType type, MemorySegment cells, Presence presence)
            implements FixedWidth {
        /** Returns the size of a row's cells, in bytes. */
        public long width() {
            return (long) type.cellCount() * type.cellType().size();
        }

        @Override
        public long byteSize() {
            return cells.byteSize();
        }
    }
}
