package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.ADD;
import static jdk.incubator.vector.VectorOperators.B2I;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.crabro.tensor.CellType;

/**
 * Compares many cells at a time with the Vector API, and 8 bytes of bits at a time. The last,
 * partial step of a row is masked. Rows of doubles are compared cell by cell.
 */
final class VectorPairKernels implements PairKernels {
    private static final ScalarPairKernels SCALAR = new ScalarPairKernels();
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Byte> BYTES =
            VectorSpecies.of(
                    byte.class, VectorShape.forBitSize(Math.max(64, INTS.vectorBitSize() / 4)));
    private static final int LANES = INTS.length();
    private static final int PARTS = BYTES.length() / LANES;

    /** The maximum number of int8 cells whose sums fit an int. */
    private static final int PIECE = 1 << 14;

    @Override
    public double dot(
            CellType type,
            int size,
            MemorySegment one,
            long at,
            MemorySegment other,
            long otherAt) {
        return switch (type) {
            case FLOAT -> floats(false, size, one, at, other, otherAt);
            case BFLOAT16 -> halves(false, size, one, at, other, otherAt);
            case INT8 -> bytes(false, size, one, at, other, otherAt);
            case DOUBLE -> SCALAR.dot(type, size, one, at, other, otherAt);
        };
    }

    @Override
    public double squaredDistance(
            CellType type,
            int size,
            MemorySegment one,
            long at,
            MemorySegment other,
            long otherAt) {
        return switch (type) {
            case FLOAT -> floats(true, size, one, at, other, otherAt);
            case BFLOAT16 -> halves(true, size, one, at, other, otherAt);
            case INT8 -> bytes(true, size, one, at, other, otherAt);
            case DOUBLE -> SCALAR.squaredDistance(type, size, one, at, other, otherAt);
        };
    }

    /** Returns the sum of products, or of squared differences. */
    private static double floats(
            boolean subtracts,
            int size,
            MemorySegment one,
            long at,
            MemorySegment other,
            long otherAt) {
        FloatVector sum = FloatVector.zero(FLOATS);
        int cell = 0;
        for (; cell <= size - LANES; cell += LANES) {
            long offset = (long) cell * Float.BYTES;
            FloatVector x = FloatVector.fromMemorySegment(FLOATS, one, at + offset, LITTLE_ENDIAN);
            FloatVector y =
                    FloatVector.fromMemorySegment(FLOATS, other, otherAt + offset, LITTLE_ENDIAN);
            sum = added(subtracts, x, y, sum);
        }
        if (cell < size) {
            long offset = (long) cell * Float.BYTES;
            VectorMask<Float> mask = FLOATS.indexInRange(cell, size);
            FloatVector x =
                    FloatVector.fromMemorySegment(FLOATS, one, at + offset, LITTLE_ENDIAN, mask);
            FloatVector y =
                    FloatVector.fromMemorySegment(
                            FLOATS, other, otherAt + offset, LITTLE_ENDIAN, mask);
            sum = added(subtracts, x, y, sum);
        }
        return LaneSums.sum(sum);
    }

    private static FloatVector added(
            boolean subtracts, FloatVector x, FloatVector y, FloatVector sum) {
        if (!subtracts) {
            return x.fma(y, sum);
        }
        FloatVector difference = x.sub(y);
        return difference.fma(difference, sum);
    }

    /** The same for bfloat16 cells: an int contains two of them, see {@link Bfloat16Rows}. */
    private static double halves(
            boolean subtracts,
            int size,
            MemorySegment one,
            long at,
            MemorySegment other,
            long otherAt) {
        int pairs = size >> 1;
        FloatVector evens = FloatVector.zero(FLOATS);
        FloatVector odds = FloatVector.zero(FLOATS);
        int pair = 0;
        for (; pair <= pairs - LANES; pair += LANES) {
            long offset = (long) pair * Integer.BYTES;
            IntVector x = IntVector.fromMemorySegment(INTS, one, at + offset, LITTLE_ENDIAN);
            IntVector y = IntVector.fromMemorySegment(INTS, other, otherAt + offset, LITTLE_ENDIAN);
            evens = added(subtracts, Bfloat16Rows.even(x), Bfloat16Rows.even(y), evens);
            odds = added(subtracts, Bfloat16Rows.odd(x), Bfloat16Rows.odd(y), odds);
        }
        if (pair < pairs) {
            long offset = (long) pair * Integer.BYTES;
            VectorMask<Integer> mask = INTS.indexInRange(pair, pairs);
            IntVector x = IntVector.fromMemorySegment(INTS, one, at + offset, LITTLE_ENDIAN, mask);
            IntVector y =
                    IntVector.fromMemorySegment(INTS, other, otherAt + offset, LITTLE_ENDIAN, mask);
            evens = added(subtracts, Bfloat16Rows.even(x), Bfloat16Rows.even(y), evens);
            odds = added(subtracts, Bfloat16Rows.odd(x), Bfloat16Rows.odd(y), odds);
        }
        double sum = LaneSums.sum(evens.add(odds));
        if ((size & 1) != 0) {
            double x = ScalarRowKernels.cell(CellType.BFLOAT16, one, at, size - 1);
            double y = ScalarRowKernels.cell(CellType.BFLOAT16, other, otherAt, size - 1);
            sum += subtracts ? (x - y) * (x - y) : x * y;
        }
        return sum;
    }

    /** The same for int8 cells, whose sums are exact. */
    private static double bytes(
            boolean subtracts,
            int size,
            MemorySegment one,
            long at,
            MemorySegment other,
            long otherAt) {
        long total = 0;
        for (int piece = 0; piece < size; piece += PIECE) {
            int end = Math.min(size, piece + PIECE);
            IntVector sum = IntVector.zero(INTS);
            int cell = piece;
            for (; cell <= end - BYTES.length(); cell += BYTES.length()) {
                ByteVector x = ByteVector.fromMemorySegment(BYTES, one, at + cell, LITTLE_ENDIAN);
                ByteVector y =
                        ByteVector.fromMemorySegment(BYTES, other, otherAt + cell, LITTLE_ENDIAN);
                sum = added(subtracts, x, y, sum);
            }
            if (cell < end) {
                VectorMask<Byte> mask = BYTES.indexInRange(cell, end);
                ByteVector x =
                        ByteVector.fromMemorySegment(BYTES, one, at + cell, LITTLE_ENDIAN, mask);
                ByteVector y =
                        ByteVector.fromMemorySegment(
                                BYTES, other, otherAt + cell, LITTLE_ENDIAN, mask);
                sum = added(subtracts, x, y, sum);
            }
            total += sum.reduceLanes(ADD);
        }
        return total;
    }

    private static IntVector added(boolean subtracts, ByteVector x, ByteVector y, IntVector sum) {
        IntVector all = sum;
        for (int part = 0; part < PARTS; part++) {
            IntVector a = (IntVector) x.convertShape(B2I, INTS, part);
            IntVector b = (IntVector) y.convertShape(B2I, INTS, part);
            if (subtracts) {
                IntVector difference = a.sub(b);
                all = all.add(difference.mul(difference));
            } else {
                all = all.add(a.mul(b));
            }
        }
        return all;
    }

    @Override
    public long differing(
            CellType type,
            int size,
            MemorySegment one,
            long at,
            MemorySegment other,
            long otherAt) {
        if (type != CellType.INT8) {
            return SCALAR.differing(type, size, one, at, other, otherAt);
        }
        long differing = 0;
        int cell = 0;
        for (; cell <= size - Long.BYTES; cell += Long.BYTES) {
            differing +=
                    Long.bitCount(
                            one.get(ValueLayout.JAVA_LONG_UNALIGNED, at + cell)
                                    ^ other.get(ValueLayout.JAVA_LONG_UNALIGNED, otherAt + cell));
        }
        for (; cell < size; cell++) {
            int bits =
                    one.get(ValueLayout.JAVA_BYTE, at + cell)
                            ^ other.get(ValueLayout.JAVA_BYTE, otherAt + cell);
            differing += Integer.bitCount(bits & 0xff);
        }
        return differing;
    }
}
