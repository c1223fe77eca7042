package org.crabro.content.run;

import static org.crabro.content.run.BlockLayout.INT;
import static org.crabro.content.run.BlockLayout.LONG;
import static org.crabro.content.run.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * What the header of a block tells of its chunks, in memory of its own. Who has it touches the
 * header no more: its page may leave memory, and come back with what lies beside it.
 */
final class BlockDirectory {
    private static final int FIELD = 0;
    private static final int OFFSET = 1;
    private static final int LENGTH = 2;
    private static final int BITMAP = 3;
    private static final int NUMBERS = 4;

    private final int rows;
    private final long fingerprint;
    private final ChunkEncoding[] encodings;
    private final int[] numbers;
    private final long[] bounds;

    private BlockDirectory(int rows, long fingerprint, int count) {
        this.rows = rows;
        this.fingerprint = fingerprint;
        this.encodings = new ChunkEncoding[count];
        this.numbers = new int[NUMBERS * count];
        this.bounds = new long[2 * count];
    }

    /**
     * Reads the header of a block.
     *
     * @param block all of it; its header was checked
     */
    static BlockDirectory of(MemorySegment block) {
        var directory =
                new BlockDirectory(
                        block.get(INT, BlockLayout.ROWS_OFFSET),
                        block.get(LONG, BlockLayout.FINGERPRINT_OFFSET),
                        block.get(INT, BlockLayout.CHUNK_COUNT_OFFSET));
        for (int i = 0; i < directory.count(); i++) {
            directory.read(block, i);
        }
        return directory;
    }

    private void read(MemorySegment block, int chunk) {
        int entry = BlockLayout.entry(chunk);
        int at = NUMBERS * chunk;
        encodings[chunk] =
                ChunkEncoding.ofCode(
                        block.get(ValueLayout.JAVA_BYTE, entry + BlockLayout.ENCODING_OFFSET));
        numbers[at + FIELD] =
                Short.toUnsignedInt(block.get(SHORT, entry + BlockLayout.FIELD_OFFSET));
        numbers[at + OFFSET] = block.get(INT, entry + BlockLayout.CHUNK_OFFSET);
        numbers[at + LENGTH] = block.get(INT, entry + BlockLayout.CHUNK_LENGTH);
        numbers[at + BITMAP] = BlockLayout.hasBitmap(block, entry) ? 1 : 0;
        bounds[2 * chunk] = block.get(LONG, entry + BlockLayout.CHUNK_MIN);
        bounds[2 * chunk + 1] = block.get(LONG, entry + BlockLayout.CHUNK_MAX);
    }

    /** Returns how many rows the block has. */
    int rows() {
        return rows;
    }

    /** Returns the fingerprint of the rows' type. */
    long fingerprint() {
        return fingerprint;
    }

    /** Returns how many chunks there are. */
    int count() {
        return encodings.length;
    }

    ChunkEncoding encoding(int chunk) {
        return encodings[chunk];
    }

    /** Returns whether the chunks of another block are of the same kinds and fields. */
    boolean hasLayoutOf(BlockDirectory other) {
        boolean isSame = Arrays.equals(encodings, other.encodings);
        for (int i = 0; isSame && i < encodings.length; i++) {
            isSame = field(i) == other.field(i);
        }
        return isSame;
    }

    /** Returns the index of a chunk's field in the type, or {@link BlockLayout#NO_FIELD}. */
    int field(int chunk) {
        return numbers[NUMBERS * chunk + FIELD];
    }

    /** Returns where a chunk starts in the block. */
    int offset(int chunk) {
        return numbers[NUMBERS * chunk + OFFSET];
    }

    /** Returns how long a chunk is. */
    int length(int chunk) {
        return numbers[NUMBERS * chunk + LENGTH];
    }

    /** Returns whether the values of a chunk are followed by a bitmap. */
    boolean hasBitmap(int chunk) {
        return numbers[NUMBERS * chunk + BITMAP] != 0;
    }

    /** Returns the smallest value of a chunk, as {@link BlockLayout} tells. */
    long min(int chunk) {
        return bounds[2 * chunk];
    }

    /** Returns the largest value of a chunk. */
    long max(int chunk) {
        return bounds[2 * chunk + 1];
    }
}
