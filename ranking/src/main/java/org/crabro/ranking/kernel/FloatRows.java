package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.NE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/*
 * Several accumulators, so that one fused multiply-add need not wait for the one before it. The
 * last, partial step is masked, so there is no scalar tail; the query is padded with zeros.
 */
final class FloatRows {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private FloatRows() {}

    static double dot(float[] query, int size, MemorySegment cells, long start) {
        FloatVector a = FloatVector.zero(SPECIES);
        FloatVector b = FloatVector.zero(SPECIES);
        int i = 0;
        for (; i <= size - 2 * LANES; i += 2 * LANES) {
            a = load(cells, start, i).fma(FloatVector.fromArray(SPECIES, query, i), a);
            b =
                    load(cells, start, i + LANES)
                            .fma(FloatVector.fromArray(SPECIES, query, i + LANES), b);
        }
        for (; i < size; i += LANES) {
            FloatVector rest = loadRest(cells, start, i, size);
            a = rest.fma(FloatVector.fromArray(SPECIES, query, i), a);
        }
        return LaneSums.sum(a.add(b));
    }

    static double squaredDistance(float[] query, int size, MemorySegment cells, long start) {
        FloatVector a = FloatVector.zero(SPECIES);
        FloatVector b = FloatVector.zero(SPECIES);
        int i = 0;
        for (; i <= size - 2 * LANES; i += 2 * LANES) {
            FloatVector x = load(cells, start, i).sub(FloatVector.fromArray(SPECIES, query, i));
            FloatVector y =
                    load(cells, start, i + LANES)
                            .sub(FloatVector.fromArray(SPECIES, query, i + LANES));
            a = x.fma(x, a);
            b = y.fma(y, b);
        }
        for (; i < size; i += LANES) {
            FloatVector x =
                    loadRest(cells, start, i, size).sub(FloatVector.fromArray(SPECIES, query, i));
            a = x.fma(x, a);
        }
        return LaneSums.sum(a.add(b));
    }

    static double cosine(
            float[] query, double squaredLength, int size, MemorySegment cells, long start) {
        FloatVector a = FloatVector.zero(SPECIES);
        FloatVector b = FloatVector.zero(SPECIES);
        FloatVector lengthA = FloatVector.zero(SPECIES);
        FloatVector lengthB = FloatVector.zero(SPECIES);
        int i = 0;
        for (; i <= size - 2 * LANES; i += 2 * LANES) {
            FloatVector x = load(cells, start, i);
            FloatVector y = load(cells, start, i + LANES);
            a = x.fma(FloatVector.fromArray(SPECIES, query, i), a);
            b = y.fma(FloatVector.fromArray(SPECIES, query, i + LANES), b);
            lengthA = x.fma(x, lengthA);
            lengthB = y.fma(y, lengthB);
        }
        for (; i < size; i += LANES) {
            FloatVector x = loadRest(cells, start, i, size);
            a = x.fma(FloatVector.fromArray(SPECIES, query, i), a);
            lengthA = x.fma(x, lengthA);
        }
        float dot = LaneSums.sum(a.add(b));
        float length = LaneSums.sum(lengthA.add(lengthB));
        return ScalarRowKernels.cosine(dot, squaredLength * length);
    }

    static long differing(float[] query, int size, MemorySegment cells, long start) {
        long differing = 0;
        for (int i = 0; i < size; i += LANES) {
            FloatVector stored = loadRest(cells, start, i, size);
            differing += stored.compare(NE, FloatVector.fromArray(SPECIES, query, i)).trueCount();
        }
        return differing;
    }

    private static FloatVector load(MemorySegment cells, long start, int cell) {
        long at = start + (long) cell * Float.BYTES;
        return FloatVector.fromMemorySegment(SPECIES, cells, at, LITTLE_ENDIAN);
    }

    private static FloatVector loadRest(MemorySegment cells, long start, int cell, int size) {
        long at = start + (long) cell * Float.BYTES;
        VectorMask<Float> rest = SPECIES.indexInRange(cell, size);
        return FloatVector.fromMemorySegment(SPECIES, cells, at, LITTLE_ENDIAN, rest);
    }
}
