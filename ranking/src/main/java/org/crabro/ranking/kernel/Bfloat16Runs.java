package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static org.crabro.ranking.kernel.SideBySide.BY_1;
import static org.crabro.ranking.kernel.SideBySide.BY_EIGHTH;
import static org.crabro.ranking.kernel.SideBySide.BY_HALF;
import static org.crabro.ranking.kernel.SideBySide.BY_QUARTER;
import static org.crabro.ranking.kernel.SideBySide.HALF;
import static org.crabro.ranking.kernel.SideBySide.LANE_1;
import static org.crabro.ranking.kernel.SideBySide.LANE_2;
import static org.crabro.ranking.kernel.SideBySide.LANE_3;
import static org.crabro.ranking.kernel.SideBySide.QUARTER;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/* Runs outside the heap; SideBySide says what loops of them look like and why. */
final class Bfloat16Runs {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = FLOATS.length();
    private static final int STEP = INTS.vectorByteSize();

    private Bfloat16Runs() {}

    /** Writes the dot products of {@code count} rows, as {@link RowKernels#dots} does. */
    static void dots(QueryVector query, MemorySegment run, int count, double[] into) {
        int done = SideBySide.compare(query, run, count, Bfloat16Runs::dots, into);
        for (int row = done; row < count; row++) {
            long at = row * query.rowSize;
            into[row] =
                    Bfloat16Rows.dot(query.forms().evens, query.forms().odds, query.size, run, at);
        }
    }

    /** Writes the squared distances of {@code count} rows. */
    static void squaredDistances(QueryVector query, MemorySegment run, int count, double[] into) {
        int done = SideBySide.compare(query, run, count, Bfloat16Runs::squaredDistances, into);
        for (int row = done; row < count; row++) {
            long at = row * query.rowSize;
            into[row] =
                    Bfloat16Rows.squaredDistance(
                            query.forms().evens, query.forms().odds, query.size, run, at);
        }
    }

    private static void dots(QueryVector query, long run, int part, double[] into) {
        long rowSize = AllMemory.checkedSize(query.rowSize);
        long apart = AllMemory.checkedSize(part * query.rowSize);
        long start = query.forms().aligned.address();
        long end = start + rowSize;
        IntVector upperHalf = IntVector.broadcast(INTS, Bfloat16Rows.UPPER_HALF);
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector even0 = zero;
        FloatVector odd0 = zero;
        FloatVector even1 = zero;
        FloatVector odd1 = zero;
        FloatVector even2 = zero;
        FloatVector odd2 = zero;
        FloatVector even3 = zero;
        FloatVector odd3 = zero;
        long cell = start;
        long next = run;
        int row = 0;
        while (true) {
            long q = AllMemory.trackedSize(cell);
            long at = AllMemory.trackedSize(next);
            FloatVector even =
                    FloatVector.fromMemorySegment(FLOATS, AllMemory.SEGMENT, q, LITTLE_ENDIAN);
            FloatVector odd =
                    FloatVector.fromMemorySegment(
                            FLOATS, AllMemory.SEGMENT, q + rowSize, LITTLE_ENDIAN);
            IntVector x0 = IntVector.fromMemorySegment(INTS, AllMemory.SEGMENT, at, LITTLE_ENDIAN);
            even0 = x0.lanewise(LSHL, 16).reinterpretAsFloats().fma(even, even0);
            odd0 = x0.and(upperHalf).reinterpretAsFloats().fma(odd, odd0);
            IntVector x1 =
                    IntVector.fromMemorySegment(INTS, AllMemory.SEGMENT, at + apart, LITTLE_ENDIAN);
            even1 = x1.lanewise(LSHL, 16).reinterpretAsFloats().fma(even, even1);
            odd1 = x1.and(upperHalf).reinterpretAsFloats().fma(odd, odd1);
            IntVector x2 =
                    IntVector.fromMemorySegment(
                            INTS, AllMemory.SEGMENT, at + 2 * apart, LITTLE_ENDIAN);
            even2 = x2.lanewise(LSHL, 16).reinterpretAsFloats().fma(even, even2);
            odd2 = x2.and(upperHalf).reinterpretAsFloats().fma(odd, odd2);
            IntVector x3 =
                    IntVector.fromMemorySegment(
                            INTS, AllMemory.SEGMENT, at + 3 * apart, LITTLE_ENDIAN);
            even3 = x3.lanewise(LSHL, 16).reinterpretAsFloats().fma(even, even3);
            odd3 = x3.and(upperHalf).reinterpretAsFloats().fma(odd, odd3);
            cell += STEP;
            next += STEP;
            if (cell == end) {
                FloatVector sum0 = even0.add(odd0);
                FloatVector sum1 = even1.add(odd1);
                FloatVector sum2 = even2.add(odd2);
                FloatVector sum3 = even3.add(odd3);
                FloatVector sum02 =
                        sum0.blend(sum2, HALF).add(sum2.blend(sum0, HALF).rearrange(BY_HALF));
                FloatVector sum13 =
                        sum1.blend(sum3, HALF).add(sum3.blend(sum1, HALF).rearrange(BY_HALF));
                FloatVector sums =
                        sum02.blend(sum13, QUARTER)
                                .add(sum13.blend(sum02, QUARTER).rearrange(BY_QUARTER));
                if (LANES > 4) {
                    sums = sums.add(sums.rearrange(BY_EIGHTH));
                }
                if (LANES > 8) {
                    sums = sums.add(sums.rearrange(BY_1));
                }
                into[row] = sums.lane(0);
                into[row + part] = sums.lane(LANE_1);
                into[row + 2 * part] = sums.lane(LANE_2);
                into[row + 3 * part] = sums.lane(LANE_3);
                row++;
                if (row == part) {
                    return;
                }
                even0 = zero;
                odd0 = zero;
                even1 = zero;
                odd1 = zero;
                even2 = zero;
                odd2 = zero;
                even3 = zero;
                odd3 = zero;
                cell = start;
            }
        }
    }

    private static void squaredDistances(QueryVector query, long run, int part, double[] into) {
        long rowSize = AllMemory.checkedSize(query.rowSize);
        long apart = AllMemory.checkedSize(part * query.rowSize);
        long start = query.forms().aligned.address();
        long end = start + rowSize;
        IntVector upperHalf = IntVector.broadcast(INTS, Bfloat16Rows.UPPER_HALF);
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector even0 = zero;
        FloatVector odd0 = zero;
        FloatVector even1 = zero;
        FloatVector odd1 = zero;
        FloatVector even2 = zero;
        FloatVector odd2 = zero;
        FloatVector even3 = zero;
        FloatVector odd3 = zero;
        long cell = start;
        long next = run;
        int row = 0;
        while (true) {
            long q = AllMemory.trackedSize(cell);
            long at = AllMemory.trackedSize(next);
            FloatVector even =
                    FloatVector.fromMemorySegment(FLOATS, AllMemory.SEGMENT, q, LITTLE_ENDIAN);
            FloatVector odd =
                    FloatVector.fromMemorySegment(
                            FLOATS, AllMemory.SEGMENT, q + rowSize, LITTLE_ENDIAN);
            IntVector x0 = IntVector.fromMemorySegment(INTS, AllMemory.SEGMENT, at, LITTLE_ENDIAN);
            FloatVector even0Off = x0.lanewise(LSHL, 16).reinterpretAsFloats().sub(even);
            FloatVector odd0Off = x0.and(upperHalf).reinterpretAsFloats().sub(odd);
            even0 = even0Off.fma(even0Off, even0);
            odd0 = odd0Off.fma(odd0Off, odd0);
            IntVector x1 =
                    IntVector.fromMemorySegment(INTS, AllMemory.SEGMENT, at + apart, LITTLE_ENDIAN);
            FloatVector even1Off = x1.lanewise(LSHL, 16).reinterpretAsFloats().sub(even);
            FloatVector odd1Off = x1.and(upperHalf).reinterpretAsFloats().sub(odd);
            even1 = even1Off.fma(even1Off, even1);
            odd1 = odd1Off.fma(odd1Off, odd1);
            IntVector x2 =
                    IntVector.fromMemorySegment(
                            INTS, AllMemory.SEGMENT, at + 2 * apart, LITTLE_ENDIAN);
            FloatVector even2Off = x2.lanewise(LSHL, 16).reinterpretAsFloats().sub(even);
            FloatVector odd2Off = x2.and(upperHalf).reinterpretAsFloats().sub(odd);
            even2 = even2Off.fma(even2Off, even2);
            odd2 = odd2Off.fma(odd2Off, odd2);
            IntVector x3 =
                    IntVector.fromMemorySegment(
                            INTS, AllMemory.SEGMENT, at + 3 * apart, LITTLE_ENDIAN);
            FloatVector even3Off = x3.lanewise(LSHL, 16).reinterpretAsFloats().sub(even);
            FloatVector odd3Off = x3.and(upperHalf).reinterpretAsFloats().sub(odd);
            even3 = even3Off.fma(even3Off, even3);
            odd3 = odd3Off.fma(odd3Off, odd3);
            cell += STEP;
            next += STEP;
            if (cell == end) {
                FloatVector sum0 = even0.add(odd0);
                FloatVector sum1 = even1.add(odd1);
                FloatVector sum2 = even2.add(odd2);
                FloatVector sum3 = even3.add(odd3);
                FloatVector sum02 =
                        sum0.blend(sum2, HALF).add(sum2.blend(sum0, HALF).rearrange(BY_HALF));
                FloatVector sum13 =
                        sum1.blend(sum3, HALF).add(sum3.blend(sum1, HALF).rearrange(BY_HALF));
                FloatVector sums =
                        sum02.blend(sum13, QUARTER)
                                .add(sum13.blend(sum02, QUARTER).rearrange(BY_QUARTER));
                if (LANES > 4) {
                    sums = sums.add(sums.rearrange(BY_EIGHTH));
                }
                if (LANES > 8) {
                    sums = sums.add(sums.rearrange(BY_1));
                }
                into[row] = sums.lane(0);
                into[row + part] = sums.lane(LANE_1);
                into[row + 2 * part] = sums.lane(LANE_2);
                into[row + 3 * part] = sums.lane(LANE_3);
                row++;
                if (row == part) {
                    return;
                }
                even0 = zero;
                odd0 = zero;
                even1 = zero;
                odd1 = zero;
                even2 = zero;
                odd2 = zero;
                even3 = zero;
                odd3 = zero;
                cell = start;
            }
        }
    }
}
