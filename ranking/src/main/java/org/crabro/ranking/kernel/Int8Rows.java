package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.ADD;
import static jdk.incubator.vector.VectorOperators.B2I;
import static jdk.incubator.vector.VectorOperators.BIT_COUNT;
import static jdk.incubator.vector.VectorOperators.XOR;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/*
 * Bytes are widened to ints, whose sums are exact. A sum of squared differences grows by up to
 * 65,025 a cell, so a row is cut into pieces whose sums fit an int. The narrowest vector has 64
 * bits; where ints are 128 bits wide that is two vectors of ints for one of bytes, hence PARTS.
 */
final class Int8Rows {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Byte> BYTES =
            VectorSpecies.of(
                    byte.class, VectorShape.forBitSize(Math.max(64, INTS.vectorBitSize() / 4)));
    private static final VectorSpecies<Byte> WIDE = ByteVector.SPECIES_PREFERRED;
    private static final int LANES = BYTES.length();
    private static final int PARTS = LANES / INTS.length();

    /** Cells whose sum fits an int; a multiple of any number of lanes. */
    private static final int PIECE = 1 << 14;

    private Int8Rows() {}

    static double dot(int[] query, int size, MemorySegment cells, long start) {
        long sum = 0;
        for (int piece = 0; piece < size; piece += PIECE) {
            int end = Math.min(size, piece + PIECE);
            IntVector a = IntVector.zero(INTS);
            IntVector b = IntVector.zero(INTS);
            int i = piece;
            for (; i <= end - 2 * LANES; i += 2 * LANES) {
                ByteVector first = load(cells, start, i);
                ByteVector second = load(cells, start, i + LANES);
                for (int part = 0; part < PARTS; part++) {
                    int at = i + part * INTS.length();
                    a = a.add(ints(first, part).mul(IntVector.fromArray(INTS, query, at)));
                    b = b.add(ints(second, part).mul(IntVector.fromArray(INTS, query, at + LANES)));
                }
            }
            for (; i < end; i += LANES) {
                ByteVector rest = loadRest(cells, start, i, end);
                for (int part = 0; part < PARTS; part++) {
                    int at = i + part * INTS.length();
                    a = a.add(ints(rest, part).mul(IntVector.fromArray(INTS, query, at)));
                }
            }
            sum += a.add(b).reduceLanes(ADD);
        }
        return sum;
    }

    static double squaredDistance(int[] query, int size, MemorySegment cells, long start) {
        long sum = 0;
        for (int piece = 0; piece < size; piece += PIECE) {
            int end = Math.min(size, piece + PIECE);
            IntVector a = IntVector.zero(INTS);
            int i = piece;
            for (; i <= end - LANES; i += LANES) {
                ByteVector stored = load(cells, start, i);
                for (int part = 0; part < PARTS; part++) {
                    int at = i + part * INTS.length();
                    IntVector x = ints(stored, part).sub(IntVector.fromArray(INTS, query, at));
                    a = a.add(x.mul(x));
                }
            }
            for (; i < end; i += LANES) {
                ByteVector stored = loadRest(cells, start, i, end);
                for (int part = 0; part < PARTS; part++) {
                    int at = i + part * INTS.length();
                    VectorMask<Integer> rest = INTS.indexInRange(at, end);
                    IntVector x =
                            ints(stored, part).sub(IntVector.fromArray(INTS, query, at, rest));
                    a = a.add(x.mul(x));
                }
            }
            sum += a.reduceLanes(ADD);
        }
        return sum;
    }

    static double cosine(
            int[] query, double squaredLength, int size, MemorySegment cells, long start) {
        long dot = 0;
        long length = 0;
        for (int piece = 0; piece < size; piece += PIECE) {
            int end = Math.min(size, piece + PIECE);
            IntVector a = IntVector.zero(INTS);
            IntVector lengthA = IntVector.zero(INTS);
            int i = piece;
            for (; i <= end - LANES; i += LANES) {
                ByteVector stored = load(cells, start, i);
                for (int part = 0; part < PARTS; part++) {
                    int at = i + part * INTS.length();
                    IntVector x = ints(stored, part);
                    a = a.add(x.mul(IntVector.fromArray(INTS, query, at)));
                    lengthA = lengthA.add(x.mul(x));
                }
            }
            for (; i < end; i += LANES) {
                ByteVector stored = loadRest(cells, start, i, end);
                for (int part = 0; part < PARTS; part++) {
                    int at = i + part * INTS.length();
                    IntVector x = ints(stored, part);
                    a = a.add(x.mul(IntVector.fromArray(INTS, query, at)));
                    lengthA = lengthA.add(x.mul(x));
                }
            }
            dot += a.reduceLanes(ADD);
            length += lengthA.reduceLanes(ADD);
        }
        return ScalarRowKernels.cosine((double) dot, squaredLength * length);
    }

    static long differing(byte[] query, int size, MemorySegment cells, long start) {
        LongVector bits = LongVector.zero(LongVector.SPECIES_PREFERRED);
        int i = 0;
        for (; i <= size - WIDE.length(); i += WIDE.length()) {
            ByteVector stored = ByteVector.fromMemorySegment(WIDE, cells, start + i, LITTLE_ENDIAN);
            bits = bits.add(differingBits(stored, ByteVector.fromArray(WIDE, query, i)));
        }
        if (i < size) {
            VectorMask<Byte> rest = WIDE.indexInRange(i, size);
            ByteVector stored =
                    ByteVector.fromMemorySegment(WIDE, cells, start + i, LITTLE_ENDIAN, rest);
            bits = bits.add(differingBits(stored, ByteVector.fromArray(WIDE, query, i)));
        }
        return bits.reduceLanes(ADD);
    }

    private static LongVector differingBits(ByteVector stored, ByteVector query) {
        return stored.lanewise(XOR, query).reinterpretAsLongs().lanewise(BIT_COUNT);
    }

    private static ByteVector load(MemorySegment cells, long start, int cell) {
        return ByteVector.fromMemorySegment(BYTES, cells, start + cell, LITTLE_ENDIAN);
    }

    private static ByteVector loadRest(MemorySegment cells, long start, int cell, int end) {
        VectorMask<Byte> rest = BYTES.indexInRange(cell, end);
        return ByteVector.fromMemorySegment(BYTES, cells, start + cell, LITTLE_ENDIAN, rest);
    }

    private static IntVector ints(ByteVector bytes, int part) {
        return (IntVector) bytes.convertShape(B2I, INTS, part);
    }
}
