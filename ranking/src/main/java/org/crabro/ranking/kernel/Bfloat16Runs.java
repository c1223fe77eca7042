package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/*
 * Runs outside the heap, as RowLanes has them. Of four places dot products are as much as the
 * compiler takes into one method, squared distances of three.
 *
 * Loops end in the middle, so that the compiler takes them as they are: of one that it counts it
 * makes three, and keeps more addresses than there are registers. Instead it is told in each step
 * that addresses are AllMemory.known.
 */
final class Bfloat16Runs {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int STEP = INTS.vectorByteSize();

    private Bfloat16Runs() {}

    /** Writes the dot products of {@code count} rows, as {@link RowKernels#dots} does. */
    static void dots(QueryVector query, MemorySegment run, int count, double[] into) {
        int done = RowLanes.compare(query, run, count, 4, Bfloat16Runs::dots, into);
        for (int row = done; row < count; row++) {
            long at = row * query.rowSize;
            into[row] = Bfloat16Rows.dot(query.evens, query.odds, query.size, run, at);
        }
    }

    /** Writes the squared distances of {@code count} rows. */
    static void squaredDistances(QueryVector query, MemorySegment run, int count, double[] into) {
        int done = RowLanes.compare(query, run, count, 3, Bfloat16Runs::squaredDistances, into);
        for (int row = done; row < count; row++) {
            long at = row * query.rowSize;
            into[row] = Bfloat16Rows.squaredDistance(query.evens, query.odds, query.size, run, at);
        }
    }

    private static void dots(QueryVector query, long run, int rows, long part, long to) {
        long rowSize = AllMemory.known(query.rowSize);
        long second = AllMemory.known(2 * part);
        long third = AllMemory.known(4 * part);
        long fourth = AllMemory.known(6 * part);
        long evens = query.aligned.address();
        long lastPair = evens + rowSize;
        IntVector upperHalf = IntVector.broadcast(INTS, Bfloat16Rows.UPPER_HALF);
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector a = zero;
        FloatVector b = zero;
        FloatVector c = zero;
        FloatVector d = zero;
        FloatVector e = zero;
        FloatVector f = zero;
        FloatVector g = zero;
        FloatVector h = zero;
        long nextPair = evens;
        long next = run;
        long leap = part - rowSize;
        int left = rows;
        while (true) {
            long pair = AllMemory.known(nextPair);
            long at = AllMemory.known(next);
            FloatVector even = floats(pair);
            FloatVector odd = floats(pair + rowSize);
            IntVector x = ints(at);
            IntVector y = ints(at + second);
            IntVector z = ints(at + third);
            IntVector w = ints(at + fourth);
            a = Bfloat16Rows.even(x).fma(even, a);
            b = x.and(upperHalf).reinterpretAsFloats().fma(odd, b);
            c = Bfloat16Rows.even(y).fma(even, c);
            d = y.and(upperHalf).reinterpretAsFloats().fma(odd, d);
            e = Bfloat16Rows.even(z).fma(even, e);
            f = z.and(upperHalf).reinterpretAsFloats().fma(odd, f);
            g = Bfloat16Rows.even(w).fma(even, g);
            h = w.and(upperHalf).reinterpretAsFloats().fma(odd, h);
            nextPair += STEP;
            next += STEP;
            if (nextPair == lastPair) {
                long lanes = AllMemory.known(to);
                store(a.add(b), lanes);
                store(c.add(d), lanes + STEP);
                store(e.add(f), lanes + 2 * STEP);
                store(g.add(h), lanes + 3 * STEP);
                left--;
                if (left == 0) {
                    return;
                }
                to += 4 * STEP;
                next += leap;
                leap = -rowSize - leap;
                a = zero;
                b = zero;
                c = zero;
                d = zero;
                e = zero;
                f = zero;
                g = zero;
                h = zero;
                nextPair = evens;
            }
        }
    }

    private static void squaredDistances(
            QueryVector query, long run, int rows, long part, long to) {
        long rowSize = AllMemory.known(query.rowSize);
        long second = AllMemory.known(2 * part);
        long third = AllMemory.known(4 * part);
        long evens = query.aligned.address();
        long lastPair = evens + rowSize;
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector a = zero;
        FloatVector b = zero;
        FloatVector c = zero;
        FloatVector d = zero;
        FloatVector e = zero;
        FloatVector f = zero;
        long nextPair = evens;
        long next = run;
        long leap = part - rowSize;
        int left = rows;
        while (true) {
            long pair = AllMemory.known(nextPair);
            long at = AllMemory.known(next);
            FloatVector even = floats(pair);
            FloatVector odd = floats(pair + rowSize);
            IntVector x = ints(at);
            IntVector y = ints(at + second);
            IntVector z = ints(at + third);
            FloatVector evenX = Bfloat16Rows.even(x).sub(even);
            FloatVector oddX = Bfloat16Rows.odd(x).sub(odd);
            FloatVector evenY = Bfloat16Rows.even(y).sub(even);
            FloatVector oddY = Bfloat16Rows.odd(y).sub(odd);
            FloatVector evenZ = Bfloat16Rows.even(z).sub(even);
            FloatVector oddZ = Bfloat16Rows.odd(z).sub(odd);
            a = evenX.fma(evenX, a);
            b = oddX.fma(oddX, b);
            c = evenY.fma(evenY, c);
            d = oddY.fma(oddY, d);
            e = evenZ.fma(evenZ, e);
            f = oddZ.fma(oddZ, f);
            nextPair += STEP;
            next += STEP;
            if (nextPair == lastPair) {
                long lanes = AllMemory.known(to);
                store(a.add(b), lanes);
                store(c.add(d), lanes + STEP);
                store(e.add(f), lanes + 2 * STEP);
                left--;
                if (left == 0) {
                    return;
                }
                to += 3 * STEP;
                next += leap;
                leap = -rowSize - leap;
                a = zero;
                b = zero;
                c = zero;
                d = zero;
                e = zero;
                f = zero;
                nextPair = evens;
            }
        }
    }

    private static FloatVector floats(long address) {
        return FloatVector.fromMemorySegment(FLOATS, AllMemory.SEGMENT, address, LITTLE_ENDIAN);
    }

    private static IntVector ints(long address) {
        return IntVector.fromMemorySegment(INTS, AllMemory.SEGMENT, address, LITTLE_ENDIAN);
    }

    private static void store(FloatVector lanes, long address) {
        lanes.intoMemorySegment(AllMemory.SEGMENT, address, LITTLE_ENDIAN);
    }
}
