package org.crabro.ranking.kernel;

import java.util.List;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * A query vector with one byte per cell, for dot products with {@link QuantizedVectors}, and the
 * maximum errors of these dot products. Immutable.
 *
 * <p>The mean of the cells is handled exactly, because the sum of the stored cells is known. Let
 * {@code q} be the query minus its mean {@code m}, and {@code x} a stored vector; then the dot
 * product is {@code m * sum(x) + q * x}. The cells of {@code q} add up to 0, and so do those of its
 * rounded form {@code p}. Therefore {@code q * x} does not change if a constant, such as the middle
 * of the range, is added to all cells of {@code x}. Let {@code x'} be the rounded form of {@code
 * x}, and {@code c} be {@code x'} minus its mean. Then {@code q * x = p * x' + (q - p) * c + q * (x
 * - x')}. By the Cauchy-Schwarz inequality the second term is at most {@code |q - p| spread(x')}
 * and the third at most {@code |q| error(x)}.
 *
 * <p>The error of kernels is at most {@code (n + 2) * 0x1p-23} of the product of both lengths, plus
 * {@link QueryVector#lost}; see {@link RowKernels}. A stored vector is at most {@code |sum(x)| /
 * sqrt(n) + spread(x') + error(x)} long. The errors of doubles in this class are less than {@code 2
 * * 0x1p-23} more.
 */
final class QuantizedQuery {
    /** One less than the maximum of a byte, because rounded cells are adjusted by one. */
    private static final int STEPS = 126;

    /** Cells whose rounding error is above this are adjusted by one first. */
    private static final double MOVED_FIRST = 0.25;

    /** The rounded cells; their sum is 0. */
    final QueryVector cells;

    /** The factor of their dot products, in addition to the scale of the row. */
    final double scale;

    /** The factor of the row's sum. */
    final double mean;

    /** The maximum error of a dot product per unit of the magnitude of the row's sum. */
    final double perSum;

    /** The maximum error of a dot product per unit of the row's error. */
    final double perError;

    /** The maximum error of a dot product per unit of the row's spread. */
    final double perSpread;

    /** The maximum error from numbers that are too small for floats. */
    final double lost;

    private QuantizedQuery(QueryVector query) {
        int size = query.size;
        mean = query.sum / size;
        double largest = 0;
        double squares = 0;
        var varying = new double[size];
        for (int i = 0; i < size; i++) {
            varying[i] = query.cells[i] - mean;
            largest = Math.max(largest, Math.abs(varying[i]));
            squares += varying[i] * varying[i];
        }
        scale = largest / STEPS;
        double[] rounded = rounded(varying, scale);
        double kernels = (size + 4) * 0x1p-23 * Math.sqrt(query.squaredLength);
        perSum = kernels / Math.sqrt(size) + Math.abs(mean) * 0x1p-23;
        perError = Math.sqrt(squares) + kernels;
        perSpread = Math.sqrt(differences(varying, rounded)) + kernels;
        lost = query.lost;
        var type =
                new TensorType(CellType.INT8, List.of(new Dimension.Indexed("x", rounded.length)));
        cells = new QueryVector(CellType.INT8, DenseTensor.of(type, rounded));
    }

    /** Returns whole multiples of {@link #scale} whose sum is 0, padded with zeros. */
    private static double[] rounded(double[] varying, double scale) {
        var rounded = new double[QuantizedVectors.rowSize(varying.length)];
        if (scale == 0) {
            return rounded;
        }
        double perCell = 1 / scale;
        double sum = 0;
        for (int i = 0; i < varying.length; i++) {
            rounded[i] = Math.rint(varying[i] * perCell);
            sum += rounded[i];
        }
        double sign = Math.signum(sum);
        for (double least = MOVED_FIRST; sum != 0; least -= 1) {
            for (int i = 0; i < varying.length && sum != 0; i++) {
                if ((rounded[i] - varying[i] * perCell) * sign > least) {
                    rounded[i] -= sign;
                    sum -= sign;
                }
            }
        }
        return rounded;
    }

    private double differences(double[] varying, double[] rounded) {
        double squares = 0;
        for (int i = 0; i < varying.length; i++) {
            double difference = varying[i] - rounded[i] * scale;
            squares += difference * difference;
        }
        return squares;
    }

    /**
     * Returns whether dot products with {@code query} can be bounded. A query of zeros has equal
     * dot products, an infinite error gives NaN, and stored lengths are not used with a query whose
     * squared length floats cannot represent exactly enough.
     */
    static boolean isFor(QueryVector query) {
        return QuantizedVectors.areMadeOf(query.cellType)
                && FloatCosines.haveRoom(query.squaredLength)
                && query.squaredLength <= VectorQuantizer.LARGEST * VectorQuantizer.LARGEST;
    }

    /** Returns the form of a query that {@link #isFor} accepts. */
    static QuantizedQuery of(QueryVector query) {
        return new QuantizedQuery(query);
    }
}
