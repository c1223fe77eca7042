package org.crabro.content.match.cache;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.crabro.content.block.column.Column;
import org.crabro.ranking.kernel.QuantizedVectors;
import org.crabro.tensor.TensorType;

/**
 * Quantized vectors of a block in memory of their own, which is freed when they are kept no more
 * and all who looked at them have closed them. Safe for use by many threads.
 */
public final class CachedVectors implements BlockCache.Cached, AutoCloseable {
    /** Cells begin where lines of the cache do. */
    private static final long ALIGNMENT = 64;

    /** Rows that are told of before it is judged whether that is of use: of some searches. */
    private static final int ROWS_TO_JUDGE = 16_384;

    /** Where more rows are left to be compared, nothing is gained. */
    private static final int ROWS_PER_LEFT = 16;

    private final Arena memory;
    private final QuantizedVectors vectors;
    // Guarded by this.
    private int users;
    private boolean isDropped;
    private long told;
    private long left;

    private CachedVectors(Arena memory, QuantizedVectors vectors) {
        this.memory = memory;
        this.vectors = vectors;
    }

    /** Returns whether the vectors of a column are of a type that is worth it. */
    public static boolean areWorthIt(Column column) {
        return switch (column) {
            case Column.DenseTensors dense -> QuantizedVectors.areWorthIt(dense.type());
            case Column.MixedTensors mixed ->
                    QuantizedVectors.areWorthIt(mixed.type().subspaceType());
            case Column.Numbers _,
                    Column.Booleans _,
                    Column.Texts _,
                    Column.Arrays _,
                    Column.WeightedSets _,
                    Column.Maps _,
                    Column.Structs _ ->
                    false;
        };
    }

    /**
     * Rounds all vectors of a column, of a type that is {@linkplain #areWorthIt worth it}.
     *
     * @param rows of the block
     */
    public static CachedVectors of(Column column, int rows) {
        Arena memory = Arena.ofShared();
        try {
            return switch (column) {
                case Column.DenseTensors dense ->
                        of(memory, dense.type(), dense.cells(), rows, false);
                case Column.MixedTensors mixed ->
                        of(
                                memory,
                                mixed.type().subspaceType(),
                                mixed.cells(),
                                mixed.first(rows),
                                true);
                case Column.Numbers _,
                        Column.Booleans _,
                        Column.Texts _,
                        Column.Arrays _,
                        Column.WeightedSets _,
                        Column.Maps _,
                        Column.Structs _ ->
                        throw new IllegalArgumentException("no vectors: " + column);
            };
        } catch (Throwable e) {
            // Where the cells cannot be read.
            memory.close();
            throw e;
        }
    }

    private static CachedVectors of(
            Arena memory, TensorType type, MemorySegment cells, int count, boolean haveLengths) {
        long size = QuantizedVectors.byteSize(type, count, haveLengths);
        MemorySegment made = memory.allocate(size, ALIGNMENT);
        return new CachedVectors(
                memory, QuantizedVectors.of(type, cells, count, haveLengths, made));
    }

    public QuantizedVectors vectors() {
        return vectors;
    }

    /**
     * Notes what the vectors have told.
     *
     * @param rows of which they were asked
     * @param leftRows how many of these have to be compared all the same
     */
    public synchronized void addTold(int rows, int leftRows) {
        told += rows;
        left += leftRows;
    }

    @Override
    public synchronized boolean isOfUse() {
        return told < ROWS_TO_JUDGE || left <= told / ROWS_PER_LEFT;
    }

    @Override
    public long byteSize() {
        return vectors.byteSize();
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
