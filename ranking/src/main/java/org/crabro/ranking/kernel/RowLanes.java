package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/*
 * Compares the rows of runs outside the heap in several places side by side, each of which changes
 * between two parts of the run from row to row: cells of the query are loaded once for all places,
 * and the processor fetches ahead in every part, also while the other one has its turn. What makes
 * that as fast as memory is read, or nearly (docs/performance.md): the loops have no checks
 * (AllMemory); the query lies at addresses that are multiples of a cache line, which an array on the
 * heap does not, so that no load of it touches two lines; and what rows come to is left in lanes, as
 * the compiler does not take adding them up into the same method.
 *
 * Lanes are added up in the order of LaneSums, with a quarter of its work: of two vectors, the upper
 * half of either is added to the lower one at once. Four become one so, which has a quarter of each
 * in its lanes; of as many rows as a vector has lanes the last one has a sum in each lane.
 */
final class RowLanes {
    /** Compares rows and leaves the lanes: of a row of each place, then of the next one. */
    interface Loop {
        /**
         * Compares rows that {@link AllMemory#address} has checked.
         *
         * @param run the address of the first row of the first place
         * @param rows how many of each place, its two parts in turn
         * @param part bytes of a part; a place has two of them, one after the other
         * @param lanes the address where they are left
         */
        void compare(QueryVector query, long run, int rows, long part, long lanes);
    }

    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = FLOATS.length();
    private static final int STEP = FLOATS.vectorByteSize();
    private static final int MOST_PLACES = 4;

    private static final VectorMask<Float> FROM_8 = upperOf(8);
    private static final VectorMask<Float> FROM_4 = upperOf(4);
    private static final VectorMask<Float> FROM_2 = upperOf(2);
    private static final VectorMask<Float> FROM_1 = upperOf(1);
    private static final VectorShuffle<Float> BY_8 = LaneSums.swapping(FLOATS, 8);
    private static final VectorShuffle<Float> BY_4 = LaneSums.swapping(FLOATS, 4);
    private static final VectorShuffle<Float> BY_2 = LaneSums.swapping(FLOATS, 2);
    private static final VectorShuffle<Float> BY_1 = LaneSums.swapping(FLOATS, 1);

    /** Lanes with even numbers first. */
    private static final VectorShuffle<Float> EVENS_FIRST =
            VectorShuffle.fromOp(FLOATS, lane -> 2 * lane % LANES + 2 * lane / LANES);

    /** Outside the heap, where vectors lie in one cache line each. */
    private static final ThreadLocal<MemorySegment> ROOM =
            ThreadLocal.withInitial(
                    () -> Arena.ofAuto().allocate((long) MOST_PLACES * LANES * STEP, STEP));

    private RowLanes() {}

    /**
     * Compares all rows but a few at the end, fewer than there are parts.
     *
     * @param places up to four
     * @return how many were compared
     */
    static int compare(
            QueryVector query, MemorySegment run, int count, int places, Loop loop, double[] into) {
        long address = AllMemory.address(query, run, count, into);
        MemorySegment room = ROOM.get();
        int part = count / (2 * places);
        try {
            for (int row = 0; row < part; row += LANES / 2) {
                int rows = Math.min(LANES / 2, part - row);
                long from = address + row * query.rowSize;
                loop.compare(query, from, 2 * rows, part * query.rowSize, room.address());
                write(room.address(), places, rows, into, row, part);
            }
        } finally {
            Reference.reachabilityFence(run);
            Reference.reachabilityFence(query);
            Reference.reachabilityFence(room);
        }
        return 2 * places * part;
    }

    /** Writes the sums of rows; {@code apart} is where those of one part go from the one before. */
    private static void write(
            long room, int places, int rows, double[] into, int first, int apart) {
        long row = (long) places * STEP;
        long quarter = row * (LANES / 4);
        for (long at = room; at < room + quarter; at += STEP) {
            long a = AllMemory.known(at);
            store(
                    LANES == 16
                            ? four(a, quarter, FROM_8, BY_8, FROM_4, BY_4)
                            : LANES == 8
                                    ? four(a, quarter, FROM_4, BY_4, FROM_2, BY_2)
                                    : four(a, quarter, FROM_2, BY_2, FROM_1, BY_1),
                    a);
        }
        for (int place = 0; place < places; place++) {
            long a = AllMemory.known(room + (long) place * STEP);
            FloatVector sums =
                    LANES == 16
                            ? four(a, row, FROM_2, BY_2, FROM_1, BY_1)
                            : LANES == 8 ? two(load(a), load(a + row), FROM_1, BY_1) : load(a);
            sums = sums.rearrange(EVENS_FIRST);
            int to = first + 2 * place * apart;
            if (2 * rows == LANES) {
                half(sums, 0).intoArray(into, to);
                half(sums, 1).intoArray(into, to + apart);
            } else {
                store(sums, a);
                for (int i = 0; i < rows; i++) {
                    into[to + i] = one(a + (long) i * Float.BYTES);
                    into[to + apart + i] = one(a + STEP / 2 + (long) i * Float.BYTES);
                }
            }
        }
    }

    /** Makes one of four vectors that lie so far from each other. */
    private static FloatVector four(
            long first,
            long apart,
            VectorMask<Float> upper,
            VectorShuffle<Float> swapped,
            VectorMask<Float> upperOfHalf,
            VectorShuffle<Float> swappedInHalf) {
        long distance = AllMemory.known(apart);
        FloatVector ac = two(load(first), load(first + 2 * distance), upper, swapped);
        FloatVector bd = two(load(first + distance), load(first + 3 * distance), upper, swapped);
        return two(ac, bd, upperOfHalf, swappedInHalf);
    }

    private static FloatVector two(
            FloatVector a, FloatVector b, VectorMask<Float> upper, VectorShuffle<Float> swapped) {
        return a.blend(b, upper).add(b.blend(a, upper).rearrange(swapped));
    }

    private static DoubleVector half(FloatVector floats, int which) {
        return (DoubleVector) floats.convertShape(VectorOperators.F2D, DOUBLES, which);
    }

    private static double one(long address) {
        return AllMemory.SEGMENT.get(ScalarRowKernels.FLOAT, address);
    }

    private static FloatVector load(long address) {
        return FloatVector.fromMemorySegment(FLOATS, AllMemory.SEGMENT, address, LITTLE_ENDIAN);
    }

    private static void store(FloatVector floats, long address) {
        floats.intoMemorySegment(AllMemory.SEGMENT, address, LITTLE_ENDIAN);
    }

    /** Of lanes that are {@code distance} apart, the upper ones. */
    private static VectorMask<Float> upperOf(int distance) {
        long lanes = 0;
        for (int lane = 0; lane < LANES; lane++) {
            lanes |= (lane & distance) == 0 ? 0 : 1L << lane;
        }
        return VectorMask.fromLong(FLOATS, lanes);
    }
}
