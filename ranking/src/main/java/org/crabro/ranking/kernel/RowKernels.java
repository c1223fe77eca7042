package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import org.crabro.tensor.CellType;

/**
 * Compares stored rows of cells with a query vector, one row or a run of contiguous rows.
 *
 * <p>A row is the cells of one vector, little-endian, contiguous, at any offset. The query has the
 * same number of cells, already narrowed to the type of the row's. The result for a row is the same
 * alone and in a run, to the last bit.
 *
 * <p>The implementations add in a different order, and the scalar one in {@code double}. For int8
 * rows they return the same. For rows of {@code n} float or bfloat16 cells, {@link #dot} and {@link
 * #squaredDistance} differ by at most {@code (n + 2) * 0x1p-23} times the sum of the terms'
 * magnitudes, and {@link #cosine} by at most {@code (n + 4) * 0x1p-22}. For double cells all of
 * them differ by at most {@code 0x1p-29} times that. {@link #differing} returns the same for all
 * types. Subnormal floats add an error of up to {@link QueryVector#lost}.
 */
sealed interface RowKernels permits ScalarRowKernels, VectorRowKernels {
    /**
     * Returns the vector implementation if the JVM has the Vector API and the machine has wide
     * enough vectors. It uses machine code if the processor has the instructions and {@link
     * MachineCodeUse} permits it. Otherwise returns the scalar implementation. Without the module,
     * no other class is loaded.
     */
    static RowKernels best() {
        boolean isPresent = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
        if (!isPresent || !VectorRowKernels.isWorthwhile()) {
            return new ScalarRowKernels();
        }
        return MachineCodeUse.choose() && MachineCode.HERE.isPresent()
                ? new MachineRowKernels()
                : new VectorRowKernels();
    }

    /** Returns the dot product of {@code query} and the row at {@code offset} bytes. */
    double dot(QueryVector query, MemorySegment cells, long offset);

    /** Returns the sum of the squared differences. */
    double squaredDistance(QueryVector query, MemorySegment cells, long offset);

    /** Returns the cosine of the angle between the two; 0 where one of them is all zeros. */
    double cosine(QueryVector query, MemorySegment cells, long offset);

    /** Returns how many bits differ in int8 rows, or how many cells in others. */
    long differing(QueryVector query, MemorySegment cells, long offset);

    /**
     * Writes the dot products of a run.
     *
     * @param run exactly the rows of the run
     * @param into receives one number per row, from index 0 on
     */
    default void dots(QueryVector query, MemorySegment run, int count, double[] into) {
        for (int row = 0; row < count; row++) {
            into[row] = dot(query, run, row * query.rowSize);
        }
    }

    /** Writes the sums of the squared differences of a run, as {@link #dots} does. */
    default void squaredDistances(QueryVector query, MemorySegment run, int count, double[] into) {
        for (int row = 0; row < count; row++) {
            into[row] = squaredDistance(query, run, row * query.rowSize);
        }
    }

    /** Writes the cosines of a run, as {@link #dots} does. */
    default void cosines(QueryVector query, MemorySegment run, int count, double[] into) {
        for (int row = 0; row < count; row++) {
            into[row] = cosine(query, run, row * query.rowSize);
        }
    }

    /**
     * Turns dot products of a run into angular distances: 1 less the product with the row's inverse
     * length and {@code factor}, which are multiplied first, so that the result is the same for
     * each implementation, to the last bit.
     *
     * @param inverseLengths floats, little-endian, one per number
     */
    default void angular(double[] dots, int count, MemorySegment inverseLengths, double factor) {
        for (int i = 0; i < count; i++) {
            float length = inverseLengths.get(ScalarRowKernels.FLOAT, (long) i * Float.BYTES);
            dots[i] = 1 - dots[i] * (factor * length);
        }
    }

    /**
     * Converts dot products of a run to tight lower bounds of the results of {@link
     * #squaredDistance} for the same rows: the sum {@code s} of both squared lengths, minus twice
     * the product, minus the maximum errors of this bound and of the distance. With {@code n}
     * cells, the errors are {@code (n + 2) * 0x1p-24 * s} for the products, {@code (2 * n + 12) *
     * 0x1p-24 * s} for the distance, which is at most {@code 2 * s}, {@code 8 * 0x1p-24 * s} for
     * the lengths, and {@link QueryVector#lost}.
     *
     * <p>If the distance is infinite or NaN, the result is undefined.
     *
     * @param inverseLengths floats, little-endian, one per number
     * @param from the first index
     * @param to the index after the last
     */
    default void leastSquaredDistances(
            QueryVector query, MemorySegment inverseLengths, int from, int to, double[] dots) {
        double part = partForSure(query);
        for (int i = from; i < to; i++) {
            float inverse = inverseLengths.get(ScalarRowKernels.FLOAT, (long) i * Float.BYTES);
            // A smaller inverse is inexact. The row is at least as long, so the bound holds.
            double length = inverse == 0 ? 0 : 1 / Math.max(inverse, Float.MIN_NORMAL);
            double squares = length * length + query.squaredLength;
            dots[i] = squares * part - 2 * dots[i] - query.lost;
        }
    }

    /**
     * Converts dot products of the rounded cells of a run to upper bounds of the results of {@link
     * #dot} for the original vectors; see {@link QuantizedQuery}.
     *
     * @param first the row of the number at index 0
     * @param from the first index
     * @param to the index after the last
     */
    default void mostDots(
            QuantizedQuery query,
            QuantizedVectors vectors,
            int first,
            int from,
            int to,
            double[] dots) {
        for (int i = from; i < to; i++) {
            long at = (long) (first + i) * Float.BYTES;
            double sum = vectors.sums().get(ScalarRowKernels.FLOAT, at);
            double error = vectors.errors().get(ScalarRowKernels.FLOAT, at) * query.perError;
            double margin = vectors.spreads().get(ScalarRowKernels.FLOAT, at) * query.perSpread;
            double scale = query.scale * vectors.scales().get(ScalarRowKernels.FLOAT, at);
            double inMean = sum * query.mean + Math.abs(sum) * query.perSum;
            dots[i] = dots[i] * scale + inMean + error + margin + query.lost;
        }
    }

    /**
     * Returns whether dot products and lengths exclude rows that are too far away faster than
     * squared distances do (docs/lab/2026-11-22-vector-kernels.md). They do if subtractions are a
     * third of the work per cell.
     */
    default boolean subtracts(QueryVector query) {
        return query.cellType == CellType.BFLOAT16;
    }

    /** Returns 1 minus the maximum relative error of sums of squared lengths. */
    static double partForSure(QueryVector query) {
        return 1 - (3.0 * query.size + 32) * 0x1p-24;
    }

    /**
     * Returns the index of the first number that is at most {@code bound}, or {@code to} if there
     * is none. NaN is never at most {@code bound}.
     *
     * @param from the first index
     * @param to the index after the last
     */
    default int firstWithin(double[] numbers, int from, int to, double bound) {
        int i = from;
        while (i < to && !(numbers[i] <= bound)) {
            i++;
        }
        return i;
    }

    /**
     * Returns the index of the first number that is less than {@code least}, more than {@code most}
     * or NaN; {@code to} if there is none.
     *
     * @param from the first index
     * @param to the index after the last
     */
    default int firstOutside(double[] numbers, int from, int to, double least, double most) {
        int i = from;
        while (i < to && numbers[i] >= least && numbers[i] <= most) {
            i++;
        }
        return i;
    }

    /** Writes the number of differences in the rows of a run, as {@link #dots} does. */
    default void differing(QueryVector query, MemorySegment run, int count, double[] into) {
        for (int row = 0; row < count; row++) {
            into[row] = differing(query, run, row * query.rowSize);
        }
    }
}
