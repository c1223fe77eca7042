package org.crabro.content.match;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.crabro.ranking.kernel.QuantizedVectors;
import org.crabro.ranking.kernel.VectorQuantizer;
import org.crabro.tensor.TensorType;

/**
 * Quantized vectors of a block in memory of their own, which is freed when they are kept no more
 * and all who looked at them have closed them. Safe for use by many threads.
 */
final class LentVectors implements BlockCache.Kept, AutoCloseable {
    /** Cells begin where lines of the cache do. */
    private static final long ALIGNMENT = 64;

    /** What a row has besides its cells. */
    private static final int FLOATS = 4;

    /** Rows that are told of before it is judged whether that is of use: of some searches. */
    private static final int ROWS_TO_JUDGE = 16_384;

    /** Where more rows are left to be compared, nothing is gained. */
    private static final int ROWS_PER_LEFT = 16;

    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private final Arena memory;
    private final QuantizedVectors vectors;
    private final long byteSize;
    // Guarded by this.
    private int users;
    private boolean isDropped;
    private long told;
    private long left;

    private LentVectors(Arena memory, QuantizedVectors vectors, long byteSize) {
        this.memory = memory;
        this.vectors = vectors;
        this.byteSize = byteSize;
    }

    /** Rounds the vectors of all rows of a block. */
    static LentVectors of(TensorType type, MemorySegment cells, int rows) {
        int rowSize = QuantizedVectors.rowSize(type.cellCount());
        long size = (long) rows * (rowSize + FLOATS * Float.BYTES);
        Arena memory = Arena.ofShared();
        try {
            MemorySegment all = memory.allocate(size, ALIGNMENT);
            return new LentVectors(memory, quantized(type, cells, rows, all), size);
        } catch (Throwable e) {
            // Where the cells cannot be read.
            memory.close();
            throw e;
        }
    }

    private static QuantizedVectors quantized(
            TensorType type, MemorySegment cells, int rows, MemorySegment all) {
        int rowSize = QuantizedVectors.rowSize(type.cellCount());
        long floats = (long) rows * Float.BYTES;
        MemorySegment rounded = all.asSlice(0, (long) rows * rowSize);
        MemorySegment scales = all.asSlice(rounded.byteSize(), floats);
        MemorySegment errors = all.asSlice(rounded.byteSize() + floats, floats);
        MemorySegment spreads = all.asSlice(rounded.byteSize() + 2 * floats, floats);
        MemorySegment sums = all.asSlice(rounded.byteSize() + 3 * floats, floats);
        var quantizer = new VectorQuantizer(type.cellType(), type.cellCount());
        long width = (long) type.cellCount() * type.cellType().size();
        for (int row = 0; row < rows; row++) {
            quantizer.quantize(cells, row * width);
            long at = (long) row * rowSize;
            MemorySegment.copy(quantizer.cells(), 0, rounded, BYTE, at, rowSize);
            scales.setAtIndex(FLOAT, row, quantizer.scale());
            errors.setAtIndex(FLOAT, row, quantizer.error());
            spreads.setAtIndex(FLOAT, row, quantizer.spread());
            sums.setAtIndex(FLOAT, row, quantizer.sum());
        }
        return new QuantizedVectors(rounded, scales, errors, spreads, sums);
    }

    QuantizedVectors vectors() {
        return vectors;
    }

    /**
     * Notes what the vectors have told.
     *
     * @param rows of which they were asked
     * @param leftRows how many of these have to be compared all the same
     */
    synchronized void addTold(int rows, int leftRows) {
        told += rows;
        left += leftRows;
    }

    @Override
    public synchronized boolean isOfUse() {
        return told < ROWS_TO_JUDGE || left <= told / ROWS_PER_LEFT;
    }

    @Override
    public long byteSize() {
        return byteSize;
    }

    @Override
    public synchronized void lend() {
        users++;
    }

    @Override
    public synchronized void drop() {
        isDropped = true;
        free();
    }

    @Override
    public synchronized void close() {
        users--;
        free();
    }

    private void free() {
        if (isDropped && users == 0) {
            memory.close();
        }
    }
}
