package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.NE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/*
 * The last, partial step of a row is masked, so there is no scalar tail; the query is padded with
 * zeros. The comment of VectorRowKernels explains why runs have a loop of their own.
 */
final class FloatRows {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    private static final int STEP = SPECIES.vectorByteSize();

    private FloatRows() {}

    /** Returns whether rows of {@code size} cells consist of whole vectors. */
    static boolean isWhole(int size) {
        return size % LANES == 0;
    }

    static void dots(float[] query, int size, MemorySegment run, double[] into) {
        long last = run.byteSize() - STEP;
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector sum = zero;
        int cell = 0;
        int row = 0;
        for (long at = 0; at <= last; at += STEP) {
            FloatVector x = FloatVector.fromMemorySegment(SPECIES, run, at, LITTLE_ENDIAN);
            sum = x.fma(FloatVector.fromArray(SPECIES, query, cell), sum);
            cell += LANES;
            if (cell == size) {
                into[row++] = LaneSums.sum(sum);
                sum = zero;
                cell = 0;
            }
        }
    }

    static void squaredDistances(float[] query, int size, MemorySegment run, double[] into) {
        long last = run.byteSize() - STEP;
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector sum = zero;
        int cell = 0;
        int row = 0;
        for (long at = 0; at <= last; at += STEP) {
            FloatVector stored = FloatVector.fromMemorySegment(SPECIES, run, at, LITTLE_ENDIAN);
            FloatVector x = stored.sub(FloatVector.fromArray(SPECIES, query, cell));
            sum = x.fma(x, sum);
            cell += LANES;
            if (cell == size) {
                into[row++] = LaneSums.sum(sum);
                sum = zero;
                cell = 0;
            }
        }
    }

    static void cosines(
            float[] query, double squaredLength, int size, MemorySegment run, double[] into) {
        long last = run.byteSize() - STEP;
        FloatVector zero = FloatVector.zero(SPECIES);
        FloatVector sum = zero;
        FloatVector length = zero;
        int cell = 0;
        int row = 0;
        for (long at = 0; at <= last; at += STEP) {
            FloatVector x = FloatVector.fromMemorySegment(SPECIES, run, at, LITTLE_ENDIAN);
            sum = x.fma(FloatVector.fromArray(SPECIES, query, cell), sum);
            length = x.fma(x, length);
            cell += LANES;
            if (cell == size) {
                into[row++] =
                        FloatCosines.of(LaneSums.sum(sum), squaredLength, LaneSums.sum(length));
                sum = zero;
                length = zero;
                cell = 0;
            }
        }
    }

    static double dot(float[] query, int size, MemorySegment cells, long start) {
        FloatVector sum = FloatVector.zero(SPECIES);
        int cell = 0;
        for (; cell <= size - LANES; cell += LANES) {
            FloatVector q = FloatVector.fromArray(SPECIES, query, cell);
            sum = load(cells, start, cell).fma(q, sum);
        }
        if (cell < size) {
            FloatVector q = FloatVector.fromArray(SPECIES, query, cell);
            sum = loadTail(cells, start, cell, size).fma(q, sum);
        }
        return LaneSums.sum(sum);
    }

    static double squaredDistance(float[] query, int size, MemorySegment cells, long start) {
        FloatVector sum = FloatVector.zero(SPECIES);
        int cell = 0;
        for (; cell <= size - LANES; cell += LANES) {
            FloatVector x =
                    load(cells, start, cell).sub(FloatVector.fromArray(SPECIES, query, cell));
            sum = x.fma(x, sum);
        }
        if (cell < size) {
            FloatVector q = FloatVector.fromArray(SPECIES, query, cell);
            FloatVector x = loadTail(cells, start, cell, size).sub(q);
            sum = x.fma(x, sum);
        }
        return LaneSums.sum(sum);
    }

    static double cosine(
            float[] query, double squaredLength, int size, MemorySegment cells, long start) {
        FloatVector sum = FloatVector.zero(SPECIES);
        FloatVector length = FloatVector.zero(SPECIES);
        int cell = 0;
        for (; cell <= size - LANES; cell += LANES) {
            FloatVector x = load(cells, start, cell);
            sum = x.fma(FloatVector.fromArray(SPECIES, query, cell), sum);
            length = x.fma(x, length);
        }
        if (cell < size) {
            FloatVector x = loadTail(cells, start, cell, size);
            sum = x.fma(FloatVector.fromArray(SPECIES, query, cell), sum);
            length = x.fma(x, length);
        }
        return FloatCosines.of(LaneSums.sum(sum), squaredLength, LaneSums.sum(length));
    }

    static long differing(float[] query, int size, MemorySegment cells, long start) {
        int differing = 0;
        int cell = 0;
        for (; cell <= size - LANES; cell += LANES) {
            FloatVector q = FloatVector.fromArray(SPECIES, query, cell);
            differing += load(cells, start, cell).compare(NE, q).trueCount();
        }
        if (cell < size) {
            FloatVector q = FloatVector.fromArray(SPECIES, query, cell);
            differing += loadTail(cells, start, cell, size).compare(NE, q).trueCount();
        }
        return differing;
    }

    private static FloatVector load(MemorySegment cells, long start, int cell) {
        long at = start + (long) cell * Float.BYTES;
        return FloatVector.fromMemorySegment(SPECIES, cells, at, LITTLE_ENDIAN);
    }

    private static FloatVector loadTail(MemorySegment cells, long start, int cell, int size) {
        long at = start + (long) cell * Float.BYTES;
        VectorMask<Float> mask = SPECIES.indexInRange(cell, size);
        return FloatVector.fromMemorySegment(SPECIES, cells, at, LITTLE_ENDIAN, mask);
    }
}
