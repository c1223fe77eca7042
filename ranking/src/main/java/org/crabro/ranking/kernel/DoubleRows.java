package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.NE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/*
 * The last, partial step of a row is masked, so there is no scalar tail; the query is padded with
 * zeros. Runs have no loop of their own: double columns are rare.
 */
final class DoubleRows {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private DoubleRows() {}

    static double dot(double[] query, int size, MemorySegment cells, long start) {
        DoubleVector sum = DoubleVector.zero(SPECIES);
        int cell = 0;
        for (; cell <= size - LANES; cell += LANES) {
            DoubleVector q = DoubleVector.fromArray(SPECIES, query, cell);
            sum = load(cells, start, cell).fma(q, sum);
        }
        if (cell < size) {
            DoubleVector q = DoubleVector.fromArray(SPECIES, query, cell);
            sum = loadTail(cells, start, cell, size).fma(q, sum);
        }
        return LaneSums.sum(sum);
    }

    static double squaredDistance(double[] query, int size, MemorySegment cells, long start) {
        DoubleVector sum = DoubleVector.zero(SPECIES);
        int cell = 0;
        for (; cell <= size - LANES; cell += LANES) {
            DoubleVector x =
                    load(cells, start, cell).sub(DoubleVector.fromArray(SPECIES, query, cell));
            sum = x.fma(x, sum);
        }
        if (cell < size) {
            DoubleVector q = DoubleVector.fromArray(SPECIES, query, cell);
            DoubleVector x = loadTail(cells, start, cell, size).sub(q);
            sum = x.fma(x, sum);
        }
        return LaneSums.sum(sum);
    }

    static double cosine(
            double[] query, double squaredLength, int size, MemorySegment cells, long start) {
        DoubleVector sum = DoubleVector.zero(SPECIES);
        DoubleVector length = DoubleVector.zero(SPECIES);
        int cell = 0;
        for (; cell <= size - LANES; cell += LANES) {
            DoubleVector x = load(cells, start, cell);
            sum = x.fma(DoubleVector.fromArray(SPECIES, query, cell), sum);
            length = x.fma(x, length);
        }
        if (cell < size) {
            DoubleVector x = loadTail(cells, start, cell, size);
            sum = x.fma(DoubleVector.fromArray(SPECIES, query, cell), sum);
            length = x.fma(x, length);
        }
        return ScalarRowKernels.cosine(LaneSums.sum(sum), squaredLength * LaneSums.sum(length));
    }

    static long differing(double[] query, int size, MemorySegment cells, long start) {
        int differing = 0;
        int cell = 0;
        for (; cell <= size - LANES; cell += LANES) {
            DoubleVector q = DoubleVector.fromArray(SPECIES, query, cell);
            differing += load(cells, start, cell).compare(NE, q).trueCount();
        }
        if (cell < size) {
            DoubleVector q = DoubleVector.fromArray(SPECIES, query, cell);
            differing += loadTail(cells, start, cell, size).compare(NE, q).trueCount();
        }
        return differing;
    }

    private static DoubleVector load(MemorySegment cells, long start, int cell) {
        long at = start + (long) cell * Double.BYTES;
        return DoubleVector.fromMemorySegment(SPECIES, cells, at, LITTLE_ENDIAN);
    }

    private static DoubleVector loadTail(MemorySegment cells, long start, int cell, int size) {
        long at = start + (long) cell * Double.BYTES;
        VectorMask<Double> mask = SPECIES.indexInRange(cell, size);
        return DoubleVector.fromMemorySegment(SPECIES, cells, at, LITTLE_ENDIAN, mask);
    }
}
