package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.crabro.tensor.CellType;

/**
 * Computes many floats at a time with the Vector API.
 *
 * <p>Largest products are computed for as many rows at once as a vector has lanes, one lane per
 * row, so that nothing is added across lanes. For two vectors of rows and four others, eight sums
 * are accumulated in parallel, so that a multiplication does not wait for a sum or a load.
 */
final class VectorFloatKernels implements FloatKernels {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = FLOATS.length();
    private static final VectorSpecies<Integer> INTS =
            VectorSpecies.of(int.class, FLOATS.vectorShape());

    /** With the same number of lanes as a vector of floats. */
    private static final VectorSpecies<Short> SHORTS =
            VectorSpecies.of(short.class, VectorShape.forBitSize(FLOATS.vectorBitSize() / 2));

    private static final VectorSpecies<Byte> BYTES =
            VectorSpecies.of(
                    byte.class, VectorShape.forBitSize(Math.max(64, FLOATS.vectorBitSize() / 4)));

    /** The number of others whose sums are accumulated in parallel. */
    private static final int TILE = 4;

    /** Returns whether the machine adds at least eight floats at a time. */
    static boolean isWorthwhile() {
        return LANES >= 8;
    }

    @Override
    public int abreast() {
        return LANES;
    }

    @Override
    public void copy(CellType type, MemorySegment bytes, long start, float[] into, int count) {
        switch (type) {
            case FLOAT ->
                    MemorySegment.copy(
                            bytes, ScalarRowKernels.FLOAT, start * Float.BYTES, into, 0, count);
            case BFLOAT16 -> bfloats(bytes, start * Short.BYTES, into, count);
            case INT8 -> int8s(bytes, start, into, count);
            case DOUBLE -> tail(type, bytes, start, into, 0, count);
        }
    }

    private static void bfloats(MemorySegment bytes, long offset, float[] into, int count) {
        int whole = FLOATS.loopBound(count);
        for (int i = 0; i < whole; i += LANES) {
            var stored =
                    ShortVector.fromMemorySegment(
                            SHORTS, bytes, offset + (long) i * Short.BYTES, LITTLE_ENDIAN);
            var widened = (IntVector) stored.convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0);
            widened.lanewise(VectorOperators.LSHL, Short.SIZE)
                    .reinterpretAsFloats()
                    .intoArray(into, i);
        }
        tail(CellType.BFLOAT16, bytes, offset / Short.BYTES, into, whole, count);
    }

    private static void int8s(MemorySegment bytes, long offset, float[] into, int count) {
        int whole = FLOATS.loopBound(count);
        for (int i = 0; i < whole; i += LANES) {
            var stored = ByteVector.fromMemorySegment(BYTES, bytes, offset + i, LITTLE_ENDIAN);
            ((FloatVector) stored.convertShape(VectorOperators.B2F, FLOATS, 0)).intoArray(into, i);
        }
        tail(CellType.INT8, bytes, offset, into, whole, count);
    }

    private static void tail(
            CellType type, MemorySegment bytes, long start, float[] into, int from, int count) {
        for (int i = from; i < count; i++) {
            into[i] = (float) ScalarRowKernels.cell(type, bytes, start * type.size(), i);
        }
    }

    @Override
    public double dot(float[] left, float[] right, int count) {
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = a;
        int i = 0;
        for (; i <= count - 2 * LANES; i += 2 * LANES) {
            a =
                    FloatVector.fromArray(FLOATS, left, i)
                            .fma(FloatVector.fromArray(FLOATS, right, i), a);
            b =
                    FloatVector.fromArray(FLOATS, left, i + LANES)
                            .fma(FloatVector.fromArray(FLOATS, right, i + LANES), b);
        }
        double tailSum = 0;
        for (; i < count; i++) {
            tailSum += (double) left[i] * right[i];
        }
        return LaneSums.sum(a.add(b)) + tailSum;
    }

    @Override
    public double largestSum(
            float[] rows, int first, int count, float[] others, int otherCount, int size) {
        double sum = 0;
        int end = first + count;
        for (int row = first; row < end; row += 2 * LANES) {
            int left = end - row;
            if (left > LANES) {
                sum += ofTwo(rows, row * size, left, others, otherCount, size);
            } else {
                sum += ofOne(rows, row * size, left, others, otherCount, size);
            }
        }
        return sum;
    }

    /** Returns the sum for two vectors of rows, of which at most {@code count} rows count. */
    private static double ofTwo(
            float[] rows, int start, int count, float[] others, int otherCount, int size) {
        FloatVector largestA = FloatVector.broadcast(FLOATS, Float.NEGATIVE_INFINITY);
        FloatVector largestB = largestA;
        int next = start + size * LANES;
        int other = 0;
        for (; other + TILE <= otherCount; other += TILE) {
            FloatVector a0 = FloatVector.zero(FLOATS);
            FloatVector a1 = a0;
            FloatVector a2 = a0;
            FloatVector a3 = a0;
            FloatVector b0 = a0;
            FloatVector b1 = a0;
            FloatVector b2 = a0;
            FloatVector b3 = a0;
            int at0 = other * size;
            int at1 = at0 + size;
            int at2 = at1 + size;
            int at3 = at2 + size;
            for (int i = 0; i < size; i++) {
                FloatVector a = FloatVector.fromArray(FLOATS, rows, start + i * LANES);
                FloatVector b = FloatVector.fromArray(FLOATS, rows, next + i * LANES);
                FloatVector x = FloatVector.broadcast(FLOATS, others[at0 + i]);
                a0 = a.fma(x, a0);
                b0 = b.fma(x, b0);
                x = FloatVector.broadcast(FLOATS, others[at1 + i]);
                a1 = a.fma(x, a1);
                b1 = b.fma(x, b1);
                x = FloatVector.broadcast(FLOATS, others[at2 + i]);
                a2 = a.fma(x, a2);
                b2 = b.fma(x, b2);
                x = FloatVector.broadcast(FLOATS, others[at3 + i]);
                a3 = a.fma(x, a3);
                b3 = b.fma(x, b3);
            }
            largestA = largestA.max(a0.max(a1).max(a2.max(a3)));
            largestB = largestB.max(b0.max(b1).max(b2.max(b3)));
        }
        for (; other < otherCount; other++) {
            FloatVector a0 = FloatVector.zero(FLOATS);
            FloatVector b0 = a0;
            int at = other * size;
            for (int i = 0; i < size; i++) {
                FloatVector x = FloatVector.broadcast(FLOATS, others[at + i]);
                a0 = FloatVector.fromArray(FLOATS, rows, start + i * LANES).fma(x, a0);
                b0 = FloatVector.fromArray(FLOATS, rows, next + i * LANES).fma(x, b0);
            }
            largestA = largestA.max(a0);
            largestB = largestB.max(b0);
        }
        return sum(largestA, LANES) + sum(largestB, count - LANES);
    }

    /** Returns the sum for one vector of rows. */
    private static double ofOne(
            float[] rows, int start, int count, float[] others, int otherCount, int size) {
        FloatVector largest = FloatVector.broadcast(FLOATS, Float.NEGATIVE_INFINITY);
        int other = 0;
        for (; other + TILE <= otherCount; other += TILE) {
            FloatVector a0 = FloatVector.zero(FLOATS);
            FloatVector a1 = a0;
            FloatVector a2 = a0;
            FloatVector a3 = a0;
            int at0 = other * size;
            int at1 = at0 + size;
            int at2 = at1 + size;
            int at3 = at2 + size;
            for (int i = 0; i < size; i++) {
                FloatVector a = FloatVector.fromArray(FLOATS, rows, start + i * LANES);
                a0 = a.fma(FloatVector.broadcast(FLOATS, others[at0 + i]), a0);
                a1 = a.fma(FloatVector.broadcast(FLOATS, others[at1 + i]), a1);
                a2 = a.fma(FloatVector.broadcast(FLOATS, others[at2 + i]), a2);
                a3 = a.fma(FloatVector.broadcast(FLOATS, others[at3 + i]), a3);
            }
            largest = largest.max(a0.max(a1).max(a2.max(a3)));
        }
        for (; other < otherCount; other++) {
            FloatVector a0 = FloatVector.zero(FLOATS);
            int at = other * size;
            for (int i = 0; i < size; i++) {
                FloatVector x = FloatVector.broadcast(FLOATS, others[at + i]);
                a0 = FloatVector.fromArray(FLOATS, rows, start + i * LANES).fma(x, a0);
            }
            largest = largest.max(a0);
        }
        return sum(largest, count);
    }

    private static double sum(FloatVector lanes, int count) {
        double sum = 0;
        for (int lane = 0; lane < Math.min(count, LANES); lane++) {
            sum += lanes.lane(lane);
        }
        return sum;
    }
}
