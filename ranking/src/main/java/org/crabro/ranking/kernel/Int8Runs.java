package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.ADD;
import static jdk.incubator.vector.VectorOperators.B2S;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/*
 * Compares runs outside the heap: both halves in parallel, by address (the comment of SideBySide
 * explains why).
 *
 * Cells are widened to 16 bits only: a product of two is -16,256 to 16,384, and a sum of two
 * products plus BIAS is 0 to 65,280; a squared difference is at most 65,025. Both always fit an
 * unsigned 16-bit number, and each int contains two of them. They are summed without being
 * separated: one sum adds whole ints and wraps, another adds their upper halves; the sum of the
 * lower halves is the first sum minus the second. So all sums are exact, and fit an int for any row
 * that Int8Rows compares in one piece.
 */
final class Int8Runs {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Byte> BYTES =
            VectorSpecies.of(byte.class, VectorShape.forBitSize(SHORTS.vectorBitSize() / 2));
    private static final VectorSpecies<Byte> WIDE = ByteVector.SPECIES_PREFERRED;
    private static final int LANES = SHORTS.length();

    /** The number of bytes of a row, which is also that of cells, in one step of the loops. */
    private static final int STEP = 2 * LANES;

    private static final short BIAS = 32_512;

    private Int8Runs() {}

    /** Returns whether rows of {@code size} cells consist of whole vectors of bytes. */
    static boolean isWholeBytes(int size) {
        return size % WIDE.length() == 0;
    }

    /** Returns whether rows of {@code size} cells consist of whole steps. */
    static boolean isWhole(int size) {
        return size % STEP == 0 && Int8Rows.isWhole(size);
    }

    /** Writes the dot products of {@code count} rows, as {@link RowKernels#dots} does. */
    static void dots(QueryVector query, MemorySegment run, int count, double[] into) {
        long address = AllMemory.address(query.rowSize, run, count, into);
        try {
            dots(query.forms().shorts, query.size, address, count / 2, into);
        } finally {
            Reference.reachabilityFence(run);
            Reference.reachabilityFence(query);
        }
        if (count % 2 != 0) {
            long last = (count - 1) * query.rowSize;
            into[count - 1] = Int8Rows.dot(query.forms().ints, query.size, run, last);
        }
    }

    /** Writes the squared distances of {@code count} rows. */
    static void squaredDistances(QueryVector query, MemorySegment run, int count, double[] into) {
        long address = AllMemory.address(query.rowSize, run, count, into);
        try {
            squaredDistances(query.forms().shorts, query.size, address, count / 2, into);
        } finally {
            Reference.reachabilityFence(run);
            Reference.reachabilityFence(query);
        }
        if (count % 2 != 0) {
            long last = (count - 1) * query.rowSize;
            into[count - 1] = Int8Rows.squaredDistance(query.forms().ints, query.size, run, last);
        }
    }

    /** Writes the number of differing bits of {@code count} rows. */
    static void differing(QueryVector query, MemorySegment run, int count, double[] into) {
        long address = AllMemory.address(query.rowSize, run, count, into);
        try {
            differing(query.stored, query.size, address, count / 2, into);
        } finally {
            Reference.reachabilityFence(run);
            Reference.reachabilityFence(query);
        }
        if (count % 2 != 0) {
            long last = (count - 1) * query.rowSize;
            into[count - 1] = Int8Rows.differing(query.forms().bytes, query.size, run, last);
        }
    }

    private static void dots(MemorySegment query, int size, long run, int half, double[] into) {
        long second = (long) half * size;
        long end = run + second;
        long first = query.address();
        long last = first + (long) size * Short.BYTES;
        int bias = BIAS * (size / 2);
        IntVector zero = IntVector.zero(INTS);
        IntVector a = zero;
        IntVector upperA = zero;
        IntVector b = zero;
        IntVector upperB = zero;
        long cell = first;
        int row = 0;
        for (long at = run; at < end; at += STEP) {
            ShortVector q = query(cell);
            ShortVector r = query(cell + STEP);
            IntVector x = products(at, q, r);
            IntVector y = products(at + second, q, r);
            a = a.add(x);
            upperA = upperA.add(x.lanewise(LSHR, Short.SIZE));
            b = b.add(y);
            upperB = upperB.add(y.lanewise(LSHR, Short.SIZE));
            cell += 2L * STEP;
            if (cell == last) {
                into[row] = sum(a, upperA) - bias;
                into[half + row] = sum(b, upperB) - bias;
                row++;
                a = zero;
                upperA = zero;
                b = zero;
                upperB = zero;
                cell = first;
            }
        }
    }

    private static void squaredDistances(
            MemorySegment query, int size, long run, int half, double[] into) {
        long second = (long) half * size;
        long end = run + second;
        long first = query.address();
        long last = first + (long) size * Short.BYTES;
        IntVector zero = IntVector.zero(INTS);
        IntVector a = zero;
        IntVector upperA = zero;
        IntVector b = zero;
        IntVector upperB = zero;
        long cell = first;
        int row = 0;
        for (long at = run; at < end; at += LANES) {
            ShortVector q = query(cell);
            IntVector x = squares(at, q);
            IntVector y = squares(at + second, q);
            a = a.add(x);
            upperA = upperA.add(x.lanewise(LSHR, Short.SIZE));
            b = b.add(y);
            upperB = upperB.add(y.lanewise(LSHR, Short.SIZE));
            cell += STEP;
            if (cell == last) {
                into[row] = sum(a, upperA);
                into[half + row] = sum(b, upperB);
                row++;
                a = zero;
                upperA = zero;
                b = zero;
                upperB = zero;
                cell = first;
            }
        }
    }

    private static void differing(
            MemorySegment query, int size, long run, int half, double[] into) {
        long second = (long) half * size;
        long end = run + second;
        long first = query.address();
        long last = first + size;
        LongVector zero = LongVector.zero(LongVector.SPECIES_PREFERRED);
        LongVector a = zero;
        LongVector b = zero;
        long cell = first;
        int row = 0;
        for (long at = run; at < end; at += WIDE.length()) {
            ByteVector q = bytes(AllMemory.trackedSize(cell));
            a = a.add(Int8Rows.differingBits(bytes(at), q));
            b = b.add(Int8Rows.differingBits(bytes(at + second), q));
            cell += WIDE.length();
            if (cell == last) {
                into[row] = a.reduceLanes(ADD);
                into[half + row] = b.reduceLanes(ADD);
                row++;
                a = zero;
                b = zero;
                cell = first;
            }
        }
    }

    /** Of two vectors of cells, each pair of products added, and {@link #BIAS}. */
    private static IntVector products(long address, ShortVector q, ShortVector r) {
        return cells(address)
                .mul(q)
                .add(cells(address + LANES).mul(r))
                .add(BIAS)
                .reinterpretAsInts();
    }

    private static IntVector squares(long address, ShortVector q) {
        ShortVector x = cells(address).sub(q);
        return x.mul(x).reinterpretAsInts();
    }

    /** The sum of the halves of ints, given the sums of the ints and of their upper halves. */
    private static int sum(IntVector ints, IntVector uppers) {
        IntVector lowers = ints.sub(uppers.lanewise(LSHL, Short.SIZE));
        return lowers.add(uppers).reduceLanes(ADD);
    }

    private static ByteVector bytes(long address) {
        return ByteVector.fromMemorySegment(WIDE, AllMemory.SEGMENT, address, LITTLE_ENDIAN);
    }

    private static ShortVector cells(long address) {
        ByteVector bytes =
                ByteVector.fromMemorySegment(BYTES, AllMemory.SEGMENT, address, LITTLE_ENDIAN);
        return (ShortVector) bytes.convertShape(B2S, SHORTS, 0);
    }

    private static ShortVector query(long address) {
        return ShortVector.fromMemorySegment(SHORTS, AllMemory.SEGMENT, address, LITTLE_ENDIAN);
    }
}
