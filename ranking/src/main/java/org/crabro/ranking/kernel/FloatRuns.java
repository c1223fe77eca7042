package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
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
import jdk.incubator.vector.VectorSpecies;

/* Runs outside the heap; SideBySide says what loops of them look like and why. */
final class FloatRuns {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = FLOATS.length();
    private static final int STEP = FLOATS.vectorByteSize();

    private FloatRuns() {}

    /** Writes the dot products of {@code count} rows, as {@link RowKernels#dots} does. */
    static void dots(QueryVector query, MemorySegment run, int count, double[] into) {
        int done = SideBySide.compare(query, run, count, FloatRuns::dots, into);
        for (int row = done; row < count; row++) {
            into[row] = FloatRows.dot(query.forms().floats, query.size, run, row * query.rowSize);
        }
    }

    /** Writes the squared distances of {@code count} rows. */
    static void squaredDistances(QueryVector query, MemorySegment run, int count, double[] into) {
        int done = SideBySide.compare(query, run, count, FloatRuns::squaredDistances, into);
        for (int row = done; row < count; row++) {
            long at = row * query.rowSize;
            into[row] = FloatRows.squaredDistance(query.forms().floats, query.size, run, at);
        }
    }

    private static void dots(QueryVector query, long run, int part, double[] into) {
        long rowSize = AllMemory.checkedSize(query.rowSize);
        long apart = AllMemory.checkedSize(part * query.rowSize);
        long start = query.forms().aligned.address();
        long end = start + rowSize;
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector sum0 = zero;
        FloatVector sum1 = zero;
        FloatVector sum2 = zero;
        FloatVector sum3 = zero;
        long cell = start;
        long next = run;
        int row = 0;
        while (true) {
            long q = AllMemory.trackedSize(cell);
            long at = AllMemory.trackedSize(next);
            FloatVector cells =
                    FloatVector.fromMemorySegment(FLOATS, AllMemory.SEGMENT, q, LITTLE_ENDIAN);
            FloatVector x0 =
                    FloatVector.fromMemorySegment(FLOATS, AllMemory.SEGMENT, at, LITTLE_ENDIAN);
            sum0 = x0.fma(cells, sum0);
            FloatVector x1 =
                    FloatVector.fromMemorySegment(
                            FLOATS, AllMemory.SEGMENT, at + apart, LITTLE_ENDIAN);
            sum1 = x1.fma(cells, sum1);
            FloatVector x2 =
                    FloatVector.fromMemorySegment(
                            FLOATS, AllMemory.SEGMENT, at + 2 * apart, LITTLE_ENDIAN);
            sum2 = x2.fma(cells, sum2);
            FloatVector x3 =
                    FloatVector.fromMemorySegment(
                            FLOATS, AllMemory.SEGMENT, at + 3 * apart, LITTLE_ENDIAN);
            sum3 = x3.fma(cells, sum3);
            cell += STEP;
            next += STEP;
            if (cell == end) {
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
                sum0 = zero;
                sum1 = zero;
                sum2 = zero;
                sum3 = zero;
                cell = start;
            }
        }
    }

    private static void squaredDistances(QueryVector query, long run, int part, double[] into) {
        long rowSize = AllMemory.checkedSize(query.rowSize);
        long apart = AllMemory.checkedSize(part * query.rowSize);
        long start = query.forms().aligned.address();
        long end = start + rowSize;
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector sum0 = zero;
        FloatVector sum1 = zero;
        FloatVector sum2 = zero;
        FloatVector sum3 = zero;
        long cell = start;
        long next = run;
        int row = 0;
        while (true) {
            long q = AllMemory.trackedSize(cell);
            long at = AllMemory.trackedSize(next);
            FloatVector cells =
                    FloatVector.fromMemorySegment(FLOATS, AllMemory.SEGMENT, q, LITTLE_ENDIAN);
            FloatVector x0 =
                    FloatVector.fromMemorySegment(FLOATS, AllMemory.SEGMENT, at, LITTLE_ENDIAN)
                            .sub(cells);
            sum0 = x0.fma(x0, sum0);
            FloatVector x1 =
                    FloatVector.fromMemorySegment(
                                    FLOATS, AllMemory.SEGMENT, at + apart, LITTLE_ENDIAN)
                            .sub(cells);
            sum1 = x1.fma(x1, sum1);
            FloatVector x2 =
                    FloatVector.fromMemorySegment(
                                    FLOATS, AllMemory.SEGMENT, at + 2 * apart, LITTLE_ENDIAN)
                            .sub(cells);
            sum2 = x2.fma(x2, sum2);
            FloatVector x3 =
                    FloatVector.fromMemorySegment(
                                    FLOATS, AllMemory.SEGMENT, at + 3 * apart, LITTLE_ENDIAN)
                            .sub(cells);
            sum3 = x3.fma(x3, sum3);
            cell += STEP;
            next += STEP;
            if (cell == end) {
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
                sum0 = zero;
                sum1 = zero;
                sum2 = zero;
                sum3 = zero;
                cell = start;
            }
        }
    }
}
