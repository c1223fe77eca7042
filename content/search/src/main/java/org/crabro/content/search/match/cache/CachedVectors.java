package org.crabro.content.search.match.cache;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.crabro.content.storage.block.column.Column;
import org.crabro.ranking.kernel.QuantizedVectors;
import org.crabro.tensor.TensorType;

/**
 * Quantized vectors of a block in memory of their own. The memory is freed after the cache has
 * dropped the vectors and all users have closed them. Safe for use by many threads.
 */
public final class CachedVectors implements BlockCache.Cached, AutoCloseable {
    /** Cells start at a cache line. */
    private static final long ALIGNMENT = 64;

    /**
     * The number of compared rows after which the usefulness is judged, usually after several
     * searches.
     */
    private static final int ROWS_TO_JUDGE = 16_384;

    /** The vectors are useful if at most one in this many compared rows remains. */
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

    /** Returns whether quantizing pays off for the type of a column. */
    public static boolean areWorthIt(Column column) {
        return switch (column) {
            case Column.DenseTensors dense -> QuantizedVectors.areWorthIt(dense.type());
            case Column.MixedTensors mixed ->
                    QuantizedVectors.areWorthIt(mixed.type().subspaceType());
            case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> false;
        };
    }

    /**
     * Quantizes all vectors of a column, whose type must be {@linkplain #areWorthIt worth it}.
     *
     * @param rows the number of rows of the block
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
                case Column.FixedWidth _, Column.Texts _, Column.Nested _ ->
                        throw new IllegalArgumentException("no vectors: " + column);
            };
        } catch (Throwable e) {
            // The cells cannot be read.
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
     * Adds the result of one comparison to the statistics.
     *
     * @param rows the number of rows compared by quantized vectors
     * @param leftRows the number of these rows that may be near enough and must be compared exactly
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
