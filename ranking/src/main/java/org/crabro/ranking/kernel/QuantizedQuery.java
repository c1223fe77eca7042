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
 * <p>What all cells have in common is told exactly, as the sum of the stored ones is known: with
 * {@code q} for the query less its mean {@code m}, and {@code x} for a stored vector, the dot
 * product is {@code m * sum(x) + q * x}. The cells of {@code q} come to 0, and so do those of what
 * it is rounded to, {@code p}; then {@code q * x} is the same whatever is added to all cells of
 * {@code x}, such as what lies in the middle of them. With {@code x'} for what that is rounded to
 * and {@code c} for {@code x'} less its mean, {@code q * x = p * x' + (q - p) * c + q * (x - x')},
 * of which by the Cauchy-Schwarz inequality the second is at most {@code |q - p| spread(x')} and
 * the third at most {@code |q| error(x)}.
 *
 * <p>Kernels may be off by {@code (n + 2) * 0x1p-23} of both lengths and what is lost, as {@link
 * RowKernels} tells, and a stored vector is no longer than {@code |sum(x)| / sqrt(n) + spread(x') +
 * error(x)}. What doubles are off by here is less than two parts more of {@code 0x1p-23}.
 */
final class QuantizedQuery {
    /** Less than bytes have room for, as cells are moved by one once they are rounded. */
    private static final int STEPS = 126;

    /** Cells are moved by one first where no more than this was lost in the other direction. */
    private static final double MOVED_FIRST = 0.25;

    /** The rounded cells, which come to 0. */
    final QueryVector cells;

    /** What dot products of them are multiplied by besides the scale of the row. */
    final double scale;

    /** What is added for each unit of the row's sum. */
    final double mean;

    /** By how much a dot product may be larger for each unit of the row's sum, of either sign. */
    final double perSum;

    /** By how much it may be larger for each unit of the row's error. */
    final double perError;

    /** By how much it may be larger for each unit of the row's spread. */
    final double perSpread;

    /** By how much it may be larger at most for numbers that are too small for floats. */
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

    /** Returns whole multiples of {@link #scale} that come to 0, and zeros behind them. */
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
     * Returns whether dot products with {@code query} can be told of. With zeros they are all the
     * same, what is infinitely wrong is no number, and a query that floats have no room for is not
     * compared by kept lengths.
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
