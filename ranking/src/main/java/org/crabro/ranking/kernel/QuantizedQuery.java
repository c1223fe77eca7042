package org.crabro.ranking.kernel;

import java.util.List;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * A query vector in a byte a cell, for dot products with {@link QuantizedVectors}, and by how much
 * dot products of stored vectors may be larger. Immutable.
 *
 * <p>With {@code q} and {@code x} for both vectors, {@code q'} and {@code x'} for what they were
 * rounded to, and {@code e} for the lengths of the differences, {@code q * x = q' * x' + q' * (x -
 * x') + (q - q') * x}, of which by the Cauchy-Schwarz inequality the second is at most {@code |q'|
 * e(x)} and the third at most {@code e(q) (|x'| + e(x))}. Kernels may be off by {@code (n + 2) *
 * 0x1p-23} of {@code |q| |x|} and what is lost, as {@link RowKernels} tells.
 */
final class QuantizedQuery {
    /** More than doubles are off by in sums and products of a few numbers. */
    private static final double ROUNDING = 0x1p-48;

    /** The rounded cells. */
    final QueryVector cells;

    /** What dot products of them are multiplied by besides the scale of the row. */
    final double scale;

    /** By how much a dot product may be larger for each unit of the row's error. */
    final double perError;

    /** By how much it may be larger for each unit of the row's length. */
    final double perLength;

    /** By how much it may be larger at most for numbers that are too small for floats. */
    final double lost;

    private QuantizedQuery(QueryVector query, VectorQuantizer rounded) {
        byte[] bytes = rounded.cells();
        var numbers = new double[bytes.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = bytes[i];
        }
        var dimension = new Dimension.Indexed("x", numbers.length);
        var type = new TensorType(CellType.INT8, List.of(dimension));
        cells = new QueryVector(CellType.INT8, DenseTensor.of(type, numbers));
        scale = rounded.scale();
        double kernels = (query.size + 4) * 0x1p-23 * Math.sqrt(query.squaredLength);
        perLength = rounded.error() + kernels + rounded.length() * ROUNDING;
        perError = rounded.length() + perLength;
        lost = query.lost;
    }

    /**
     * Returns whether dot products with {@code query} can be told of. With zeros they are all the
     * same, and what is infinitely wrong is no number.
     */
    static boolean isFor(QueryVector query) {
        return QuantizedVectors.areMadeOf(query.cellType)
                && query.squaredLength > 0
                && query.squaredLength <= VectorQuantizer.LARGEST * VectorQuantizer.LARGEST;
    }

    /** Returns the form of a query that {@link #isFor} accepts. */
    static QuantizedQuery of(QueryVector query) {
        var quantizer = new VectorQuantizer(query.cellType, query.size);
        quantizer.quantize(query.cells);
        return new QuantizedQuery(query, quantizer);
    }
}
