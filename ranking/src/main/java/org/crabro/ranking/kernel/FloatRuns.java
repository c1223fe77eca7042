package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.crabro.ranking.kernel.SideBySide.BY_1;
import static org.crabro.ranking.kernel.SideBySide.BY_EIGHTH;
import static org.crabro.ranking.kernel.SideBySide.BY_HALF;
import static org.crabro.ranking.kernel.SideBySide.BY_QUARTER;
import static org.crabro.ranking.kernel.SideBySide.EIGHTH;
import static org.crabro.ranking.kernel.SideBySide.HALF;
import static org.crabro.ranking.kernel.SideBySide.LANE_1;
import static org.crabro.ranking.kernel.SideBySide.LANE_2;
import static org.crabro.ranking.kernel.SideBySide.LANE_3;
import static org.crabro.ranking.kernel.SideBySide.LANE_4;
import static org.crabro.ranking.kernel.SideBySide.LANE_5;
import static org.crabro.ranking.kernel.SideBySide.LANE_6;
import static org.crabro.ranking.kernel.SideBySide.LANE_7;
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
            into[row] = FloatRows.dot(query.floats, query.size, run, row * query.rowSize);
        }
    }

    /** Writes the squared distances of {@code count} rows. */
    static void squaredDistances(QueryVector query, MemorySegment run, int count, double[] into) {
        int done = SideBySide.compare(query, run, count, FloatRuns::squaredDistances, into);
        for (int row = done; row < count; row++) {
            long at = row * query.rowSize;
            into[row] = FloatRows.squaredDistance(query.floats, query.size, run, at);
        }
    }

    private static void dots(QueryVector query, long run, int part, double[] into) {
        long rowSize = AllMemory.knownSize(query.rowSize);
        long apart = AllMemory.knownSize(part * query.rowSize);
        long start = query.aligned.address();
        long end = start + rowSize;
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector sum0 = zero;
        FloatVector sum1 = zero;
        FloatVector sum2 = zero;
        FloatVector sum3 = zero;
        FloatVector sum4 = zero;
        FloatVector sum5 = zero;
        FloatVector sum6 = zero;
        FloatVector sum7 = zero;
        long cell = start;
        long next = run;
        int row = 0;
        while (true) {
            long q = AllMemory.known(cell);
            long at = AllMemory.known(next);
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
            FloatVector x4 =
                    FloatVector.fromMemorySegment(
                            FLOATS, AllMemory.SEGMENT, at + 4 * apart, LITTLE_ENDIAN);
            sum4 = x4.fma(cells, sum4);
            FloatVector x5 =
                    FloatVector.fromMemorySegment(
                            FLOATS, AllMemory.SEGMENT, at + 5 * apart, LITTLE_ENDIAN);
            sum5 = x5.fma(cells, sum5);
            FloatVector x6 =
                    FloatVector.fromMemorySegment(
                            FLOATS, AllMemory.SEGMENT, at + 6 * apart, LITTLE_ENDIAN);
            sum6 = x6.fma(cells, sum6);
            FloatVector x7 =
                    FloatVector.fromMemorySegment(
                            FLOATS, AllMemory.SEGMENT, at + 7 * apart, LITTLE_ENDIAN);
            sum7 = x7.fma(cells, sum7);
            cell += STEP;
            next += STEP;
            if (cell == end) {
                FloatVector sum04 =
                        sum0.blend(sum4, HALF).add(sum4.blend(sum0, HALF).rearrange(BY_HALF));
                FloatVector sum15 =
                        sum1.blend(sum5, HALF).add(sum5.blend(sum1, HALF).rearrange(BY_HALF));
                FloatVector sum26 =
                        sum2.blend(sum6, HALF).add(sum6.blend(sum2, HALF).rearrange(BY_HALF));
                FloatVector sum37 =
                        sum3.blend(sum7, HALF).add(sum7.blend(sum3, HALF).rearrange(BY_HALF));
                FloatVector evens =
                        sum04.blend(sum26, QUARTER)
                                .add(sum26.blend(sum04, QUARTER).rearrange(BY_QUARTER));
                FloatVector odds =
                        sum15.blend(sum37, QUARTER)
                                .add(sum37.blend(sum15, QUARTER).rearrange(BY_QUARTER));
                if (LANES > 4) {
                    evens =
                            evens.blend(odds, EIGHTH)
                                    .add(odds.blend(evens, EIGHTH).rearrange(BY_EIGHTH));
                    odds = evens;
                }
                if (LANES > 8) {
                    evens = evens.add(evens.rearrange(BY_1));
                    odds = evens;
                }
                into[row] = evens.lane(0);
                into[row + part] = odds.lane(LANE_1);
                into[row + 2 * part] = evens.lane(LANE_2);
                into[row + 3 * part] = odds.lane(LANE_3);
                into[row + 4 * part] = evens.lane(LANE_4);
                into[row + 5 * part] = odds.lane(LANE_5);
                into[row + 6 * part] = evens.lane(LANE_6);
                into[row + 7 * part] = odds.lane(LANE_7);
                row++;
                if (row == part) {
                    return;
                }
                sum0 = zero;
                sum1 = zero;
                sum2 = zero;
                sum3 = zero;
                sum4 = zero;
                sum5 = zero;
                sum6 = zero;
                sum7 = zero;
                cell = start;
            }
        }
    }

    private static void squaredDistances(QueryVector query, long run, int part, double[] into) {
        long rowSize = AllMemory.knownSize(query.rowSize);
        long apart = AllMemory.knownSize(part * query.rowSize);
        long start = query.aligned.address();
        long end = start + rowSize;
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector sum0 = zero;
        FloatVector sum1 = zero;
        FloatVector sum2 = zero;
        FloatVector sum3 = zero;
        FloatVector sum4 = zero;
        FloatVector sum5 = zero;
        FloatVector sum6 = zero;
        FloatVector sum7 = zero;
        long cell = start;
        long next = run;
        int row = 0;
        while (true) {
            long q = AllMemory.known(cell);
            long at = AllMemory.known(next);
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
            FloatVector x4 =
                    FloatVector.fromMemorySegment(
                                    FLOATS, AllMemory.SEGMENT, at + 4 * apart, LITTLE_ENDIAN)
                            .sub(cells);
            sum4 = x4.fma(x4, sum4);
            FloatVector x5 =
                    FloatVector.fromMemorySegment(
                                    FLOATS, AllMemory.SEGMENT, at + 5 * apart, LITTLE_ENDIAN)
                            .sub(cells);
            sum5 = x5.fma(x5, sum5);
            FloatVector x6 =
                    FloatVector.fromMemorySegment(
                                    FLOATS, AllMemory.SEGMENT, at + 6 * apart, LITTLE_ENDIAN)
                            .sub(cells);
            sum6 = x6.fma(x6, sum6);
            FloatVector x7 =
                    FloatVector.fromMemorySegment(
                                    FLOATS, AllMemory.SEGMENT, at + 7 * apart, LITTLE_ENDIAN)
                            .sub(cells);
            sum7 = x7.fma(x7, sum7);
            cell += STEP;
            next += STEP;
            if (cell == end) {
                FloatVector sum04 =
                        sum0.blend(sum4, HALF).add(sum4.blend(sum0, HALF).rearrange(BY_HALF));
                FloatVector sum15 =
                        sum1.blend(sum5, HALF).add(sum5.blend(sum1, HALF).rearrange(BY_HALF));
                FloatVector sum26 =
                        sum2.blend(sum6, HALF).add(sum6.blend(sum2, HALF).rearrange(BY_HALF));
                FloatVector sum37 =
                        sum3.blend(sum7, HALF).add(sum7.blend(sum3, HALF).rearrange(BY_HALF));
                FloatVector evens =
                        sum04.blend(sum26, QUARTER)
                                .add(sum26.blend(sum04, QUARTER).rearrange(BY_QUARTER));
                FloatVector odds =
                        sum15.blend(sum37, QUARTER)
                                .add(sum37.blend(sum15, QUARTER).rearrange(BY_QUARTER));
                if (LANES > 4) {
                    evens =
                            evens.blend(odds, EIGHTH)
                                    .add(odds.blend(evens, EIGHTH).rearrange(BY_EIGHTH));
                    odds = evens;
                }
                if (LANES > 8) {
                    evens = evens.add(evens.rearrange(BY_1));
                    odds = evens;
                }
                into[row] = evens.lane(0);
                into[row + part] = odds.lane(LANE_1);
                into[row + 2 * part] = evens.lane(LANE_2);
                into[row + 3 * part] = odds.lane(LANE_3);
                into[row + 4 * part] = evens.lane(LANE_4);
                into[row + 5 * part] = odds.lane(LANE_5);
                into[row + 6 * part] = evens.lane(LANE_6);
                into[row + 7 * part] = odds.lane(LANE_7);
                row++;
                if (row == part) {
                    return;
                }
                sum0 = zero;
                sum1 = zero;
                sum2 = zero;
                sum3 = zero;
                sum4 = zero;
                sum5 = zero;
                sum6 = zero;
                sum7 = zero;
                cell = start;
            }
        }
    }
}
