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
 * bits; if int vectors have 128 bits, one vector of bytes gives two vectors of ints, hence PARTS.
 * The last, partial step of a row is masked. Only the last piece has one, and after it the query
 * has zeros. The comment of VectorRowKernels explains why runs have a loop of their own.
 */
final class Int8Rows {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Byte> BYTES =
            VectorSpecies.of(
                    byte.class, VectorShape.forBitSize(Math.max(64, INTS.vectorBitSize() / 4)));
    private static final VectorSpecies<Byte> WIDE = ByteVector.SPECIES_PREFERRED;
    private static final int LANES = BYTES.length();
    private static final int PARTS = LANES / INTS.length();

    /** The maximum number of cells whose sum fits an int; a multiple of every lane count. */
    private static final int PIECE = 1 << 14;

    private Int8Rows() {}

    /** Returns whether rows of {@code size} cells consist of whole vectors and of one piece. */
    static boolean isWhole(int size) {
        return size % LANES == 0 && size <= PIECE;
    }

    static void dots(int[] query, int size, MemorySegment run, double[] into) {
        long last = run.byteSize() - LANES;
        IntVector zero = IntVector.zero(INTS);
        IntVector sum = zero;
        int cell = 0;
        int row = 0;
        for (long at = 0; at <= last; at += LANES) {
            ByteVector loaded = load(run, at);
            for (int part = 0; part < PARTS; part++) {
                IntVector q = IntVector.fromArray(INTS, query, cell + part * INTS.length());
                sum = sum.add(ints(loaded, part).mul(q));
            }
            cell += LANES;
            if (cell == size) {
                into[row++] = sum.reduceLanes(ADD);
                sum = zero;
                cell = 0;
            }
        }
    }

    static void squaredDistances(int[] query, int size, MemorySegment run, double[] into) {
        long last = run.byteSize() - LANES;
        IntVector zero = IntVector.zero(INTS);
        IntVector sum = zero;
        int cell = 0;
        int row = 0;
        for (long at = 0; at <= last; at += LANES) {
            ByteVector loaded = load(run, at);
            for (int part = 0; part < PARTS; part++) {
                IntVector q = IntVector.fromArray(INTS, query, cell + part * INTS.length());
                IntVector x = ints(loaded, part).sub(q);
                sum = sum.add(x.mul(x));
            }
            cell += LANES;
            if (cell == size) {
                into[row++] = sum.reduceLanes(ADD);
                sum = zero;
                cell = 0;
            }
        }
    }

    static void cosines(
            int[] query, double squaredLength, int size, MemorySegment run, double[] into) {
        long last = run.byteSize() - LANES;
        IntVector zero = IntVector.zero(INTS);
        IntVector sum = zero;
        IntVector length = zero;
        int cell = 0;
        int row = 0;
        for (long at = 0; at <= last; at += LANES) {
            ByteVector loaded = load(run, at);
            for (int part = 0; part < PARTS; part++) {
                IntVector q = IntVector.fromArray(INTS, query, cell + part * INTS.length());
                IntVector x = ints(loaded, part);
                sum = sum.add(x.mul(q));
                length = length.add(x.mul(x));
            }
            cell += LANES;
            if (cell == size) {
                double lengths = squaredLength * length.reduceLanes(ADD);
                into[row++] = ScalarRowKernels.cosine(sum.reduceLanes(ADD), lengths);
                sum = zero;
                length = zero;
                cell = 0;
            }
        }
    }

    static double dot(int[] query, int size, MemorySegment cells, long start) {
        long total = 0;
        for (int piece = 0; piece < size; piece += PIECE) {
            int end = Math.min(size, piece + PIECE);
            IntVector sum = IntVector.zero(INTS);
            int cell = piece;
            for (; cell <= end - LANES; cell += LANES) {
                ByteVector loaded = load(cells, start + cell);
                for (int part = 0; part < PARTS; part++) {
                    IntVector q = IntVector.fromArray(INTS, query, cell + part * INTS.length());
                    sum = sum.add(ints(loaded, part).mul(q));
                }
            }
            if (cell < end) {
                ByteVector loaded = loadTail(cells, start, cell, end);
                for (int part = 0; part < PARTS; part++) {
                    IntVector q = IntVector.fromArray(INTS, query, cell + part * INTS.length());
                    sum = sum.add(ints(loaded, part).mul(q));
                }
            }
            total += sum.reduceLanes(ADD);
        }
        return total;
    }

    static double squaredDistance(int[] query, int size, MemorySegment cells, long start) {
        long total = 0;
        for (int piece = 0; piece < size; piece += PIECE) {
            int end = Math.min(size, piece + PIECE);
            IntVector sum = IntVector.zero(INTS);
            int cell = piece;
            for (; cell <= end - LANES; cell += LANES) {
                ByteVector loaded = load(cells, start + cell);
                for (int part = 0; part < PARTS; part++) {
                    IntVector q = IntVector.fromArray(INTS, query, cell + part * INTS.length());
                    IntVector x = ints(loaded, part).sub(q);
                    sum = sum.add(x.mul(x));
                }
            }
            if (cell < end) {
                ByteVector loaded = loadTail(cells, start, cell, end);
                for (int part = 0; part < PARTS; part++) {
                    IntVector q = IntVector.fromArray(INTS, query, cell + part * INTS.length());
                    IntVector x = ints(loaded, part).sub(q);
                    sum = sum.add(x.mul(x));
                }
            }
            total += sum.reduceLanes(ADD);
        }
        return total;
    }

    static double cosine(
            int[] query, double squaredLength, int size, MemorySegment cells, long start) {
        long total = 0;
        long totalLength = 0;
        for (int piece = 0; piece < size; piece += PIECE) {
            int end = Math.min(size, piece + PIECE);
            IntVector sum = IntVector.zero(INTS);
            IntVector length = IntVector.zero(INTS);
            int cell = piece;
            for (; cell <= end - LANES; cell += LANES) {
                ByteVector loaded = load(cells, start + cell);
                for (int part = 0; part < PARTS; part++) {
                    IntVector q = IntVector.fromArray(INTS, query, cell + part * INTS.length());
                    IntVector x = ints(loaded, part);
                    sum = sum.add(x.mul(q));
                    length = length.add(x.mul(x));
                }
            }
            if (cell < end) {
                ByteVector loaded = loadTail(cells, start, cell, end);
                for (int part = 0; part < PARTS; part++) {
                    IntVector q = IntVector.fromArray(INTS, query, cell + part * INTS.length());
                    IntVector x = ints(loaded, part);
                    sum = sum.add(x.mul(q));
                    length = length.add(x.mul(x));
                }
            }
            total += sum.reduceLanes(ADD);
            totalLength += length.reduceLanes(ADD);
        }
        return ScalarRowKernels.cosine((double) total, squaredLength * totalLength);
    }

    static long differing(byte[] query, int size, MemorySegment cells, long start) {
        LongVector bits = LongVector.zero(LongVector.SPECIES_PREFERRED);
        int cell = 0;
        for (; cell <= size - WIDE.length(); cell += WIDE.length()) {
            ByteVector x = ByteVector.fromMemorySegment(WIDE, cells, start + cell, LITTLE_ENDIAN);
            bits = bits.add(differingBits(x, ByteVector.fromArray(WIDE, query, cell)));
        }
        if (cell < size) {
            VectorMask<Byte> mask = WIDE.indexInRange(cell, size);
            ByteVector x =
                    ByteVector.fromMemorySegment(WIDE, cells, start + cell, LITTLE_ENDIAN, mask);
            bits = bits.add(differingBits(x, ByteVector.fromArray(WIDE, query, cell)));
        }
        return bits.reduceLanes(ADD);
    }

    static LongVector differingBits(ByteVector stored, ByteVector query) {
        return stored.lanewise(XOR, query).reinterpretAsLongs().lanewise(BIT_COUNT);
    }

    private static ByteVector load(MemorySegment cells, long at) {
        return ByteVector.fromMemorySegment(BYTES, cells, at, LITTLE_ENDIAN);
    }

    private static ByteVector loadTail(MemorySegment cells, long start, int cell, int end) {
        VectorMask<Byte> mask = BYTES.indexInRange(cell, end);
        return ByteVector.fromMemorySegment(BYTES, cells, start + cell, LITTLE_ENDIAN, mask);
    }

    private static IntVector ints(ByteVector bytes, int part) {
        return (IntVector) bytes.convertShape(B2I, INTS, part);
    }
}
