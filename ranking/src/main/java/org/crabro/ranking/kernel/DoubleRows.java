package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.NE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/*
 * Several accumulators, so that one fused multiply-add need not wait for the one before it. The
 * last, partial step is masked, so there is no scalar tail; the query is padded with zeros.
 */
final class DoubleRows {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private DoubleRows() {}

    static double dot(double[] query, int size, MemorySegment cells, long start) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i <= size - 2 * LANES; i += 2 * LANES) {
            a = load(cells, start, i).fma(DoubleVector.fromArray(SPECIES, query, i), a);
            b =
                    load(cells, start, i + LANES)
                            .fma(DoubleVector.fromArray(SPECIES, query, i + LANES), b);
        }
        for (; i < size; i += LANES) {
            DoubleVector rest = loadRest(cells, start, i, size);
            a = rest.fma(DoubleVector.fromArray(SPECIES, query, i), a);
        }
        return LaneSums.sum(a.add(b));
    }

    static double squaredDistance(double[] query, int size, MemorySegment cells, long start) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i <= size - 2 * LANES; i += 2 * LANES) {
            DoubleVector x = load(cells, start, i).sub(DoubleVector.fromArray(SPECIES, query, i));
            DoubleVector y =
                    load(cells, start, i + LANES)
                            .sub(DoubleVector.fromArray(SPECIES, query, i + LANES));
            a = x.fma(x, a);
            b = y.fma(y, b);
        }
        for (; i < size; i += LANES) {
            DoubleVector x =
                    loadRest(cells, start, i, size).sub(DoubleVector.fromArray(SPECIES, query, i));
            a = x.fma(x, a);
        }
        return LaneSums.sum(a.add(b));
    }

    static double cosine(
            double[] query, double squaredLength, int size, MemorySegment cells, long start) {
        DoubleVector a = DoubleVector.zero(SPECIES);
        DoubleVector b = DoubleVector.zero(SPECIES);
        DoubleVector lengthA = DoubleVector.zero(SPECIES);
        DoubleVector lengthB = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i <= size - 2 * LANES; i += 2 * LANES) {
            DoubleVector x = load(cells, start, i);
            DoubleVector y = load(cells, start, i + LANES);
            a = x.fma(DoubleVector.fromArray(SPECIES, query, i), a);
            b = y.fma(DoubleVector.fromArray(SPECIES, query, i + LANES), b);
            lengthA = x.fma(x, lengthA);
            lengthB = y.fma(y, lengthB);
        }
        for (; i < size; i += LANES) {
            DoubleVector x = loadRest(cells, start, i, size);
            a = x.fma(DoubleVector.fromArray(SPECIES, query, i), a);
            lengthA = x.fma(x, lengthA);
        }
        double dot = LaneSums.sum(a.add(b));
        double length = LaneSums.sum(lengthA.add(lengthB));
        return ScalarRowKernels.cosine(dot, squaredLength * length);
    }

    static long differing(double[] query, int size, MemorySegment cells, long start) {
        long differing = 0;
        for (int i = 0; i < size; i += LANES) {
            DoubleVector stored = loadRest(cells, start, i, size);
            differing += stored.compare(NE, DoubleVector.fromArray(SPECIES, query, i)).trueCount();
        }
        return differing;
    }

    private static DoubleVector load(MemorySegment cells, long start, int cell) {
        long at = start + (long) cell * Double.BYTES;
        return DoubleVector.fromMemorySegment(SPECIES, cells, at, LITTLE_ENDIAN);
    }

    private static DoubleVector loadRest(MemorySegment cells, long start, int cell, int size) {
        long at = start + (long) cell * Double.BYTES;
        VectorMask<Double> rest = SPECIES.indexInRange(cell, size);
        return DoubleVector.fromMemorySegment(SPECIES, cells, at, LITTLE_ENDIAN, rest);
    }
}
