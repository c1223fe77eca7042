package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/*
 * Compares the rows of runs outside the heap in four parts side by side: cells of the query are
 * loaded once for all, and the processor fetches ahead in every part. Eight parts are faster
 * from a cache, but slower from memory that others use too, and where a part is whole pages
 * long, as in full blocks. Two more things make that as fast as memory is read, or nearly
 * (docs/notes/2026-11-22-vector-kernels.md): the loops have no checks (AllMemory), and the query
 * lies at addresses that are multiples of a cache line, which an array on the heap does not, so
 * that no load of it touches two lines.
 *
 * Such a loop is more than the compiler takes into one method, but for methods which the JDK has
 * marked: a call of one of ours, but at the beginning, would stay a call, and vectors would become
 * objects. So loops call the Vector API itself. And they end in the middle: of a loop that it counts
 * the compiler makes three, and keeps more addresses than there are registers.
 *
 * Lanes are added up in the order of LaneSums. Of two vectors, the upper half of either is added to
 * the lower one at once: they become one, which has a half of each in its lanes. So four vectors
 * become one, which has a quarter of each.
 */
final class SideBySide {
    /** Compares rows that {@link AllMemory#address} has checked. */
    interface Loop {
        /**
         * Writes what the rows of all parts come to.
         *
         * @param run the address of the first row
         * @param part how many rows a part has, at least 1
         */
        void compare(QueryVector query, long run, int part, double[] into);
    }

    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = FLOATS.length();
    private static final int PARTS = 4;

    /** Lanes that are of the second vector where two become one, and which lanes change places. */
    static final VectorMask<Float> HALF = secondOf(LANES / 2);

    static final VectorMask<Float> QUARTER = secondOf(LANES / 4);
    static final VectorShuffle<Float> BY_HALF = LaneSums.swapping(FLOATS, LANES / 2);
    static final VectorShuffle<Float> BY_QUARTER = LaneSums.swapping(FLOATS, LANES / 4);
    static final VectorShuffle<Float> BY_EIGHTH = LaneSums.swapping(FLOATS, LANES / 8);
    static final VectorShuffle<Float> BY_1 = LaneSums.swapping(FLOATS, 1);

    /** Where the sums of the other parts are. */
    static final int LANE_1 = LANES / 4;

    static final int LANE_2 = LANES / 2;
    static final int LANE_3 = LANE_1 + LANE_2;

    private SideBySide() {}

    /**
     * Compares all rows but fewer than {@link #PARTS} at the end.
     *
     * @return how many were compared
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
