package org.crabro.content.storage.layout;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;
import static org.crabro.content.storage.layout.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A copy in memory of the chunk directory in the header of a block. With the copy, readers do not
 * touch the header again: otherwise its page could be evicted, and reading it again would also load
 * its neighbours.
 */
public final class BlockDirectory {
    private static final int OFFSET = 0;
    private static final int LENGTH = 1;
    private static final int BITMAP = 2;
    private static final int NUMBERS = 3;

    private final int rows;
    private final long fingerprint;
    private final Layout layout;
    private final int[] numbers;
    private final long[] bounds;

    /** The encodings and fields of the chunks. Immutable. */
    private static final class Layout {
        private final ChunkEncoding[] encodings;
        private final int[] fields;

        Layout(MemorySegment block, int count) {
            this.encodings = new ChunkEncoding[count];
            this.fields = new int[count];
            for (int i = 0; i < count; i++) {
                int entry = BlockLayout.entry(i);
                byte code = block.get(ValueLayout.JAVA_BYTE, entry + BlockLayout.ENCODING_OFFSET);
                encodings[i] = ChunkEncoding.ofCode(code);
                fields[i] = Short.toUnsignedInt(block.get(SHORT, entry + BlockLayout.FIELD_OFFSET));
            }
        }

        boolean isLike(Layout that) {
            return this == that
                    || (Arrays.equals(encodings, that.encodings)
                            && Arrays.equals(fields, that.fields));
        }
    }

    private BlockDirectory(int rows, long fingerprint, Layout layout) {
        this.rows = rows;
        this.fingerprint = fingerprint;
        this.layout = layout;
        int count = layout.fields.length;
        this.numbers = new int[NUMBERS * count];
        this.bounds = new long[2 * count];
    }

    /**
     * Reads the header of a block.
     *
     * @param block all of it; its header was checked
     * @param like a directory that probably has the same layout; null if none is known
     */
    public static BlockDirectory of(MemorySegment block, @Nullable BlockDirectory like) {
        var layout = new Layout(block, block.get(INT, BlockLayout.CHUNK_COUNT_OFFSET));
        var directory =
                new BlockDirectory(
                        block.get(INT, BlockLayout.ROWS_OFFSET),
                        block.get(LONG, BlockLayout.FINGERPRINT_OFFSET),
                        like != null && like.layout.isLike(layout) ? like.layout : layout);
        for (int i = 0; i < directory.count(); i++) {
            directory.read(block, i);
        }
        return directory;
    }

    private void read(MemorySegment block, int chunk) {
        int entry = BlockLayout.entry(chunk);
        int at = NUMBERS * chunk;
        numbers[at + OFFSET] = block.get(INT, entry + BlockLayout.CHUNK_OFFSET);
        numbers[at + LENGTH] = block.get(INT, entry + BlockLayout.CHUNK_LENGTH);
        numbers[at + BITMAP] = BlockLayout.hasBitmap(block, entry) ? 1 : 0;
        bounds[2 * chunk] = block.get(LONG, entry + BlockLayout.CHUNK_MIN);
        bounds[2 * chunk + 1] = block.get(LONG, entry + BlockLayout.CHUNK_MAX);
    }

    /** Returns the number of rows of the block. */
    public int rows() {
        return rows;
    }

    /** Returns the fingerprint of the rows' type. */
    public long fingerprint() {
        return fingerprint;
    }

    /** Returns the number of chunks. */
    public int count() {
        return layout.fields.length;
    }

    public ChunkEncoding encoding(int chunk) {
        return layout.encodings[chunk];
    }

    /** Returns whether the chunks of another block have the same encodings and fields. */
    public boolean hasLayoutOf(BlockDirectory other) {
        return layout.isLike(other.layout);
    }

    /** Returns the index of a chunk's field in the type, or {@link BlockLayout#NO_FIELD}. */
    public int field(int chunk) {
        return layout.fields[chunk];
    }

    /** Returns the offset of a chunk in the block. */
    public int offset(int chunk) {
        return numbers[NUMBERS * chunk + OFFSET];
    }

    /** Returns the length of a chunk in bytes. */
    public int length(int chunk) {
        return numbers[NUMBERS * chunk + LENGTH];
    }

    /** Returns whether the values of a chunk are followed by a bitmap. */
    public boolean hasBitmap(int chunk) {
        return numbers[NUMBERS * chunk + BITMAP] != 0;
    }

    /** Returns the smallest value of a chunk, as described in {@link BlockLayout}. */
    public long min(int chunk) {
        return bounds[2 * chunk];
    }

    /** Returns the largest value of a chunk. */
    long max(int chunk) {
        return bounds[2 * chunk + 1];
    }

    /** Returns the minimum and maximum of the values of a chunk of whole numbers. */
    public NumberBounds.Whole whole(int chunk) {
        return new NumberBounds.Whole(min(chunk), max(chunk));
    }

    /** Returns the minimum and maximum of the values of a chunk of floats or doubles. */
    public NumberBounds.Real real(int chunk) {
        return new NumberBounds.Real(
                Double.longBitsToDouble(min(chunk)), Double.longBitsToDouble(max(chunk)));
    }

    /** Returns the first chunk with an encoding, or -1. */
    public int chunkOf(ChunkEncoding encoding) {
        for (int i = 0; i < count(); i++) {
            if (encoding(i) == encoding) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the chunk of the values of a field, or -1. */
    public int chunkOfField(int field) {
        for (int i = 0; i < count(); i++) {
            if (field(i) == field && !encoding(i).isDerived()) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the chunk of a field with an encoding, or -1. */
    public int chunkOfField(int field, ChunkEncoding encoding) {
        for (int i = 0; i < count(); i++) {
            if (field(i) == field && encoding(i) == encoding) {
                return i;
            }
        }
        return -1;
    }
}
