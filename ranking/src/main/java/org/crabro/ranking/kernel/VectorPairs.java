package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import org.crabro.tensor.CellType;

/**
 * Compares stored vectors of one field with each other, as a graph of neighbors needs it. Allocates
 * nothing per comparison. Immutable and thread-safe.
 *
 * <p>Vectors are cells of one type, little-endian, contiguous, at any offset of a segment.
 */
public final class VectorPairs {
    private static final PairKernels BEST =
            Distances.isVectorized() ? new VectorPairKernels() : new ScalarPairKernels();

    private final PairKernels kernels;
    private final DistanceMetric metric;
    private final CellType cellType;
    private final int size;

    private VectorPairs(PairKernels kernels, DistanceMetric metric, CellType cellType, int size) {
        this.kernels = kernels;
        this.metric = metric;
        this.cellType = cellType;
        this.size = size;
    }

    /**
     * Returns the comparison of vectors.
     *
     * @param size the number of cells; 2 for {@link DistanceMetric#GEODEGREES}
     */
    public static VectorPairs of(DistanceMetric metric, CellType cellType, int size) {
        return of(BEST, metric, cellType, size);
    }

    static VectorPairs of(PairKernels kernels, DistanceMetric metric, CellType cellType, int size) {
        return new VectorPairs(kernels, metric, cellType, size);
    }

    /** Returns whether {@link #nearness} must be multiplied by both inverse lengths. */
    public boolean needsLengths() {
        return metric == DistanceMetric.ANGULAR;
    }

    /** Returns the factor that scales a vector to length 1; 0 for a vector of zeros. */
    public double inverseLength(MemorySegment cells, long at) {
        double squares = kernels.dot(cellType, size, cells, at, cells, at);
        return squares > 0 ? 1 / Math.sqrt(squares) : 0;
    }

    /**
     * Returns how near two vectors are: the larger, the nearer. The order is that of the metric's
     * internal distances; NaN if a vector has such a cell.
     */
    public double nearness(MemorySegment one, long at, MemorySegment other, long otherAt) {
        return switch (metric) {
            case EUCLIDEAN -> -kernels.squaredDistance(cellType, size, one, at, other, otherAt);
            case ANGULAR, DOTPRODUCT, PRENORMALIZED_ANGULAR ->
                    kernels.dot(cellType, size, one, at, other, otherAt);
            case HAMMING -> -kernels.differing(cellType, size, one, at, other, otherAt);
            case GEODEGREES ->
                    -Distances.haversine(
                            ScalarRowKernels.cell(cellType, one, at, 0),
                            ScalarRowKernels.cell(cellType, one, at, 1),
                            ScalarRowKernels.cell(cellType, other, otherAt, 0),
                            ScalarRowKernels.cell(cellType, other, otherAt, 1));
        };
    }
}
