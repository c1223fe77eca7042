package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.LSHL;
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
            into[row] = Bfloat16Rows.dot(query.evens, query.odds, query.size, run, at);
        }
    }

    /** Writes the squared distances of {@code count} rows. */
    static void squaredDistances(QueryVector query, MemorySegment run, int count, double[] into) {
        int done = SideBySide.compare(query, run, count, Bfloat16Runs::squaredDistances, into);
        for (int row = done; row < count; row++) {
            long at = row * query.rowSize;
            into[row] = Bfloat16Rows.squaredDistance(query.evens, query.odds, query.size, run, at);
        }
    }

    private static void dots(QueryVector query, long run, int part, double[] into) {
        long rowSize = AllMemory.knownSize(query.rowSize);
        long apart = AllMemory.knownSize(part * query.rowSize);
        long start = query.aligned.address();
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
        FloatVector even4 = zero;
        FloatVector odd4 = zero;
        FloatVector even5 = zero;
        FloatVector odd5 = zero;
        FloatVector even6 = zero;
        FloatVector odd6 = zero;
        FloatVector even7 = zero;
        FloatVector odd7 = zero;
        long cell = start;
        long next = run;
        int row = 0;
        while (true) {
            long q = AllMemory.known(cell);
            long at = AllMemory.known(next);
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
            IntVector x4 =
                    IntVector.fromMemorySegment(
                            INTS, AllMemory.SEGMENT, at + 4 * apart, LITTLE_ENDIAN);
            even4 = x4.lanewise(LSHL, 16).reinterpretAsFloats().fma(even, even4);
            odd4 = x4.and(upperHalf).reinterpretAsFloats().fma(odd, odd4);
            IntVector x5 =
                    IntVector.fromMemorySegment(
                            INTS, AllMemory.SEGMENT, at + 5 * apart, LITTLE_ENDIAN);
            even5 = x5.lanewise(LSHL, 16).reinterpretAsFloats().fma(even, even5);
            odd5 = x5.and(upperHalf).reinterpretAsFloats().fma(odd, odd5);
            IntVector x6 =
                    IntVector.fromMemorySegment(
                            INTS, AllMemory.SEGMENT, at + 6 * apart, LITTLE_ENDIAN);
            even6 = x6.lanewise(LSHL, 16).reinterpretAsFloats().fma(even, even6);
            odd6 = x6.and(upperHalf).reinterpretAsFloats().fma(odd, odd6);
            IntVector x7 =
                    IntVector.fromMemorySegment(
                            INTS, AllMemory.SEGMENT, at + 7 * apart, LITTLE_ENDIAN);
            even7 = x7.lanewise(LSHL, 16).reinterpretAsFloats().fma(even, even7);
            odd7 = x7.and(upperHalf).reinterpretAsFloats().fma(odd, odd7);
            cell += STEP;
            next += STEP;
            if (cell == end) {
                FloatVector sum0 = even0.add(odd0);
                FloatVector sum1 = even1.add(odd1);
                FloatVector sum2 = even2.add(odd2);
                FloatVector sum3 = even3.add(odd3);
                FloatVector sum4 = even4.add(odd4);
                FloatVector sum5 = even5.add(odd5);
                FloatVector sum6 = even6.add(odd6);
                FloatVector sum7 = even7.add(odd7);
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
                even0 = zero;
                odd0 = zero;
                even1 = zero;
                odd1 = zero;
                even2 = zero;
                odd2 = zero;
                even3 = zero;
                odd3 = zero;
                even4 = zero;
                odd4 = zero;
                even5 = zero;
                odd5 = zero;
                even6 = zero;
                odd6 = zero;
                even7 = zero;
                odd7 = zero;
                cell = start;
            }
        }
    }

    private static void squaredDistances(QueryVector query, long run, int part, double[] into) {
        long rowSize = AllMemory.knownSize(query.rowSize);
        long apart = AllMemory.knownSize(part * query.rowSize);
        long start = query.aligned.address();
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
        FloatVector even4 = zero;
        FloatVector odd4 = zero;
        FloatVector even5 = zero;
        FloatVector odd5 = zero;
        FloatVector even6 = zero;
        FloatVector odd6 = zero;
        FloatVector even7 = zero;
        FloatVector odd7 = zero;
        long cell = start;
        long next = run;
        int row = 0;
        while (true) {
            long q = AllMemory.known(cell);
            long at = AllMemory.known(next);
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
            IntVector x4 =
                    IntVector.fromMemorySegment(
                            INTS, AllMemory.SEGMENT, at + 4 * apart, LITTLE_ENDIAN);
            FloatVector even4Off = x4.lanewise(LSHL, 16).reinterpretAsFloats().sub(even);
            FloatVector odd4Off = x4.and(upperHalf).reinterpretAsFloats().sub(odd);
            even4 = even4Off.fma(even4Off, even4);
            odd4 = odd4Off.fma(odd4Off, odd4);
            IntVector x5 =
                    IntVector.fromMemorySegment(
                            INTS, AllMemory.SEGMENT, at + 5 * apart, LITTLE_ENDIAN);
            FloatVector even5Off = x5.lanewise(LSHL, 16).reinterpretAsFloats().sub(even);
            FloatVector odd5Off = x5.and(upperHalf).reinterpretAsFloats().sub(odd);
            even5 = even5Off.fma(even5Off, even5);
            odd5 = odd5Off.fma(odd5Off, odd5);
            IntVector x6 =
                    IntVector.fromMemorySegment(
                            INTS, AllMemory.SEGMENT, at + 6 * apart, LITTLE_ENDIAN);
            FloatVector even6Off = x6.lanewise(LSHL, 16).reinterpretAsFloats().sub(even);
            FloatVector odd6Off = x6.and(upperHalf).reinterpretAsFloats().sub(odd);
            even6 = even6Off.fma(even6Off, even6);
            odd6 = odd6Off.fma(odd6Off, odd6);
            IntVector x7 =
                    IntVector.fromMemorySegment(
                            INTS, AllMemory.SEGMENT, at + 7 * apart, LITTLE_ENDIAN);
            FloatVector even7Off = x7.lanewise(LSHL, 16).reinterpretAsFloats().sub(even);
            FloatVector odd7Off = x7.and(upperHalf).reinterpretAsFloats().sub(odd);
            even7 = even7Off.fma(even7Off, even7);
            odd7 = odd7Off.fma(odd7Off, odd7);
            cell += STEP;
            next += STEP;
            if (cell == end) {
                FloatVector sum0 = even0.add(odd0);
                FloatVector sum1 = even1.add(odd1);
                FloatVector sum2 = even2.add(odd2);
                FloatVector sum3 = even3.add(odd3);
                FloatVector sum4 = even4.add(odd4);
                FloatVector sum5 = even5.add(odd5);
                FloatVector sum6 = even6.add(odd6);
                FloatVector sum7 = even7.add(odd7);
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
                even0 = zero;
                odd0 = zero;
                even1 = zero;
                odd1 = zero;
                even2 = zero;
                odd2 = zero;
                even3 = zero;
                odd3 = zero;
                even4 = zero;
                odd4 = zero;
                even5 = zero;
                odd5 = zero;
                even6 = zero;
                odd6 = zero;
                even7 = zero;
                odd7 = zero;
                cell = start;
            }
        }
    }
}
