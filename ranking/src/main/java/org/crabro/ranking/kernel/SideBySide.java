package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/*
 * Compares the rows of runs outside the heap in four parallel parts: cells of the query are loaded
 * once for all parts, and the processor prefetches in every part. Eight parts are faster in a
 * cache, but slower if other threads use the memory, too, or if a part is a multiple of a page
 * long, as in full blocks. Two more properties bring the speed close to the memory bandwidth
 * (docs/lab/2026-11-22-vector-kernels.md): the loops have no checks (AllMemory), and the query is
 * aligned to cache lines, unlike an array on the heap, so that no load of it touches two lines.
 *
 * Such a loop exceeds the inlining limits of the JIT compiler, except for methods that the JDK
 * marks for inlining. A call of one of our methods after the beginning would not be inlined, and
 * vectors would become objects. So loops call the Vector API directly. They also exit in the
 * middle: the compiler splits a counted loop into three and then needs more address registers than
 * exist.
 *
 * Lanes are added in the order of LaneSums. For two vectors, the upper halves of both are added to
 * the lower ones in one step: the result is one vector with half of its lanes for each. So four
 * vectors become one vector with a quarter of its lanes for each.
 */
final class SideBySide {
    /** Compares rows that {@link AllMemory#address} has checked. */
    interface Loop {
        /**
         * Writes the results of the rows of all parts.
         *
         * @param run the address of the first row
         * @param part the number of rows per part, at least 1
         */
        void compare(QueryVector query, long run, int part, double[] into);
    }

    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = FLOATS.length();
    private static final int PARTS = 4;

    /**
     * Masks of the lanes of the second vector when two are added, and shuffles of swapped lanes.
     */
    static final VectorMask<Float> HALF = secondOf(LANES / 2);

    static final VectorMask<Float> QUARTER = secondOf(LANES / 4);
    static final VectorShuffle<Float> BY_HALF = LaneSums.swapping(FLOATS, LANES / 2);
    static final VectorShuffle<Float> BY_QUARTER = LaneSums.swapping(FLOATS, LANES / 4);
    static final VectorShuffle<Float> BY_EIGHTH = LaneSums.swapping(FLOATS, LANES / 8);
    static final VectorShuffle<Float> BY_1 = LaneSums.swapping(FLOATS, 1);

    /** The lanes with the sums of the other parts. */
    static final int LANE_1 = LANES / 4;

    static final int LANE_2 = LANES / 2;
    static final int LANE_3 = LANE_1 + LANE_2;

    private SideBySide() {}

    /**
     * Compares all rows except up to {@link #PARTS} - 1 at the end.
     *
     * @return the number of compared rows
     */
    static int compare(QueryVector query, MemorySegment run, int count, Loop loop, double[] into) {
        long address = AllMemory.address(query.rowSize, run, count, into);
        int part = count / PARTS;
        if (part > 0) {
            try {
                loop.compare(query, address, part, into);
            } finally {
                Reference.reachabilityFence(run);
                Reference.reachabilityFence(query);
            }
        }
        return PARTS * part;
    }

    private static VectorMask<Float> secondOf(int distance) {
        long lanes = 0;
        for (int lane = 0; lane < LANES; lane++) {
            lanes |= (lane & distance) == 0 ? 0 : 1L << lane;
        }
        return VectorMask.fromLong(FLOATS, lanes);
    }
}
