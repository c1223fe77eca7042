package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/* Runs outside the heap, as RowLanes has them; Bfloat16Runs says why loops end in the middle. */
final class FloatRuns {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int STEP = FLOATS.vectorByteSize();

    private FloatRuns() {}

    /** Writes the dot products of {@code count} rows, as {@link RowKernels#dots} does. */
    static void dots(QueryVector query, MemorySegment run, int count, double[] into) {
        int done = RowLanes.compare(query, run, count, 4, FloatRuns::dots, into);
        for (int row = done; row < count; row++) {
            into[row] = FloatRows.dot(query.floats, query.size, run, row * query.rowSize);
        }
    }

    /** Writes the squared distances of {@code count} rows. */
    static void squaredDistances(QueryVector query, MemorySegment run, int count, double[] into) {
        int done = RowLanes.compare(query, run, count, 4, FloatRuns::squaredDistances, into);
        for (int row = done; row < count; row++) {
            long at = row * query.rowSize;
            into[row] = FloatRows.squaredDistance(query.floats, query.size, run, at);
        }
    }

    private static void dots(QueryVector query, long run, int rows, long part, long to) {
        long second = AllMemory.known(2 * part);
        long third = AllMemory.known(4 * part);
        long fourth = AllMemory.known(6 * part);
        long first = query.aligned.address();
        long last = first + query.rowSize;
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector a = zero;
        FloatVector b = zero;
        FloatVector c = zero;
        FloatVector d = zero;
        long cell = first;
        long next = run;
        long leap = part - query.rowSize;
        int left = rows;
        while (true) {
            long at = AllMemory.known(next);
            FloatVector q = load(AllMemory.known(cell));
            FloatVector x = load(at);
            FloatVector y = load(at + second);
            FloatVector z = load(at + third);
            FloatVector w = load(at + fourth);
            a = x.fma(q, a);
            b = y.fma(q, b);
            c = z.fma(q, c);
            d = w.fma(q, d);
            cell += STEP;
            next += STEP;
            if (cell == last) {
                long lanes = AllMemory.known(to);
                store(a, lanes);
                store(b, lanes + STEP);
                store(c, lanes + 2 * STEP);
                store(d, lanes + 3 * STEP);
                left--;
                if (left == 0) {
                    return;
                }
                to += 4 * STEP;
                next += leap;
                leap = -query.rowSize - leap;
                a = zero;
                b = zero;
                c = zero;
                d = zero;
                cell = first;
            }
        }
    }

    private static void squaredDistances(
            QueryVector query, long run, int rows, long part, long to) {
        long second = AllMemory.known(2 * part);
        long third = AllMemory.known(4 * part);
        long fourth = AllMemory.known(6 * part);
        long first = query.aligned.address();
        long last = first + query.rowSize;
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector a = zero;
        FloatVector b = zero;
        FloatVector c = zero;
        FloatVector d = zero;
        long cell = first;
        long next = run;
        long leap = part - query.rowSize;
        int left = rows;
        while (true) {
            long at = AllMemory.known(next);
            FloatVector q = load(AllMemory.known(cell));
            FloatVector x = load(at).sub(q);
            FloatVector y = load(at + second).sub(q);
            FloatVector z = load(at + third).sub(q);
            FloatVector w = load(at + fourth).sub(q);
            a = x.fma(x, a);
            b = y.fma(y, b);
            c = z.fma(z, c);
            d = w.fma(w, d);
            cell += STEP;
            next += STEP;
            if (cell == last) {
                long lanes = AllMemory.known(to);
                store(a, lanes);
                store(b, lanes + STEP);
                store(c, lanes + 2 * STEP);
                store(d, lanes + 3 * STEP);
                left--;
                if (left == 0) {
                    return;
                }
                to += 4 * STEP;
                next += leap;
                leap = -query.rowSize - leap;
                a = zero;
                b = zero;
                c = zero;
                d = zero;
                cell = first;
            }
        }
    }

    private static FloatVector load(long address) {
        return FloatVector.fromMemorySegment(FLOATS, AllMemory.SEGMENT, address, LITTLE_ENDIAN);
    }

    private static void store(FloatVector lanes, long address) {
        lanes.intoMemorySegment(AllMemory.SEGMENT, address, LITTLE_ENDIAN);
    }
}
