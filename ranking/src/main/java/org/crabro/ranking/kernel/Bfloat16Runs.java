package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/*
 * Runs outside the heap. Their two halves are compared side by side: cells of the query are loaded
 * once for both, and the processor fetches ahead in two places. Three things make that as fast as
 * memory is read, or nearly (docs/performance.md): the loop has no checks (AllMemory), the query
 * lies at addresses that are multiples of a cache line, which an array on the heap does not, so that
 * no load of it touches two lines, and there is one step of each half in the loop.
 */
final class Bfloat16Runs {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int STEP = INTS.vectorByteSize();

    private Bfloat16Runs() {}

    /** Writes the dot products of {@code count} rows, as {@link RowKernels#dots} does. */
    static void dots(QueryVector query, MemorySegment run, int count, double[] into) {
        long address = AllMemory.address(query, run, count, into);
        try {
            dots(query.evensThenOdds, query.rowSize, address, count / 2, into);
        } finally {
            Reference.reachabilityFence(run);
            Reference.reachabilityFence(query);
        }
        if (count % 2 != 0) {
            long last = (count - 1) * query.rowSize;
            into[count - 1] = Bfloat16Rows.dot(query.evens, query.odds, query.size, run, last);
        }
    }

    /** Writes the squared distances of {@code count} rows. */
    static void squaredDistances(QueryVector query, MemorySegment run, int count, double[] into) {
        long address = AllMemory.address(query, run, count, into);
        try {
            squaredDistances(query.evensThenOdds, query.rowSize, address, count / 2, into);
        } finally {
            Reference.reachabilityFence(run);
            Reference.reachabilityFence(query);
        }
        if (count % 2 != 0) {
            long last = (count - 1) * query.rowSize;
            into[count - 1] =
                    Bfloat16Rows.squaredDistance(query.evens, query.odds, query.size, run, last);
        }
    }

    private static void dots(MemorySegment query, long rowSize, long run, int half, double[] into) {
        long second = half * rowSize;
        long end = run + second;
        long evens = query.address();
        long last = evens + rowSize;
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector a = zero;
        FloatVector b = zero;
        FloatVector c = zero;
        FloatVector d = zero;
        long pair = evens;
        int row = 0;
        for (long at = run; at < end; at += STEP) {
            FloatVector even = floats(pair);
            FloatVector odd = floats(pair + rowSize);
            IntVector x = ints(at);
            IntVector y = ints(at + second);
            a = Bfloat16Rows.even(x).fma(even, a);
            b = Bfloat16Rows.odd(x).fma(odd, b);
            c = Bfloat16Rows.even(y).fma(even, c);
            d = Bfloat16Rows.odd(y).fma(odd, d);
            pair += STEP;
            if (pair == last) {
                into[row] = LaneSums.sum(a.add(b));
                into[half + row] = LaneSums.sum(c.add(d));
                row++;
                a = zero;
                b = zero;
                c = zero;
                d = zero;
                pair = evens;
            }
        }
    }

    private static void squaredDistances(
            MemorySegment query, long rowSize, long run, int half, double[] into) {
        long second = half * rowSize;
        long end = run + second;
        long evens = query.address();
        long last = evens + rowSize;
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector a = zero;
        FloatVector b = zero;
        FloatVector c = zero;
        FloatVector d = zero;
        long pair = evens;
        int row = 0;
        for (long at = run; at < end; at += STEP) {
            FloatVector even = floats(pair);
            FloatVector odd = floats(pair + rowSize);
            IntVector x = ints(at);
            IntVector y = ints(at + second);
            FloatVector evenX = Bfloat16Rows.even(x).sub(even);
            FloatVector oddX = Bfloat16Rows.odd(x).sub(odd);
            FloatVector evenY = Bfloat16Rows.even(y).sub(even);
            FloatVector oddY = Bfloat16Rows.odd(y).sub(odd);
            a = evenX.fma(evenX, a);
            b = oddX.fma(oddX, b);
            c = evenY.fma(evenY, c);
            d = oddY.fma(oddY, d);
            pair += STEP;
            if (pair == last) {
                into[row] = LaneSums.sum(a.add(b));
                into[half + row] = LaneSums.sum(c.add(d));
                row++;
                a = zero;
                b = zero;
                c = zero;
                d = zero;
                pair = evens;
            }
        }
    }

    private static FloatVector floats(long address) {
        return FloatVector.fromMemorySegment(FLOATS, AllMemory.SEGMENT, address, LITTLE_ENDIAN);
    }

    private static IntVector ints(long address) {
        return IntVector.fromMemorySegment(INTS, AllMemory.SEGMENT, address, LITTLE_ENDIAN);
    }
}
