package org.crabro.ranking.kernel;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.NE;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/*
 * Two cells lie in each int, and a bfloat16 is the upper half of a float: the lower cell becomes a
 * float by a shift, the upper one by clearing the bits below it. So no lane ever has to move; the
 * query lies ready as even and odd cells instead. The last, partial step of a row is masked, where
 * of an odd number of cells the query would go on; the last cell is then done alone.
 * VectorRowKernels says why runs have a loop of their own. Where a run is long, its halves are
 * compared side by side in one such loop: cells of the query are loaded once for both, and the
 * processor fetches ahead in two places. From memory that is a fifth faster. It is slower where a
 * run is short, since the two places then lie too close to each other, and for cosines, which need
 * twice the accumulators.
 */
final class Bfloat16Rows {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = INTS.length();
    private static final int STEP = INTS.vectorByteSize();
    private static final long TWO_STEPS = 2L * STEP;
    private static final int UPPER_HALF = 0xffff_0000;

    /** Bytes from which on the two halves of a run are compared side by side: some 100 pages. */
    private static final long SIDE_BY_SIDE = 384 << 10;

    private Bfloat16Rows() {}

    /** Returns whether rows of {@code size} cells are made of whole vectors. */
    static boolean isWhole(int size) {
        return size % (2 * LANES) == 0;
    }

    static void dots(float[] evens, float[] odds, int size, MemorySegment run, double[] into) {
        if (run.byteSize() < SIDE_BY_SIDE || size % (4 * LANES) != 0) {
            dotsInOrder(evens, odds, size, run, into);
            return;
        }
        int count = rowCount(run, size);
        MemorySegment first = half(run, count, 0);
        dotsSideBySide(evens, odds, size, first, half(run, count, 1), into, count / 2);
        if (count % 2 != 0) {
            into[count - 1] = dot(evens, odds, size, run, 2 * first.byteSize());
        }
    }

    static void squaredDistances(
            float[] evens, float[] odds, int size, MemorySegment run, double[] into) {
        if (run.byteSize() < SIDE_BY_SIDE) {
            squaredDistancesInOrder(evens, odds, size, run, into);
            return;
        }
        int count = rowCount(run, size);
        MemorySegment first = half(run, count, 0);
        squaredDistancesSideBySide(evens, odds, size, first, half(run, count, 1), into, count / 2);
        if (count % 2 != 0) {
            into[count - 1] = squaredDistance(evens, odds, size, run, 2 * first.byteSize());
        }
    }

    private static int rowCount(MemorySegment run, int size) {
        return Math.toIntExact(run.byteSize() / ((long) size * Short.BYTES));
    }

    /** The first or the second half of the rows; the last of an odd number is in neither. */
    private static MemorySegment half(MemorySegment run, int count, int which) {
        long bytes = run.byteSize() / count * (count / 2);
        return run.asSlice(which * bytes, bytes);
    }

    private static void dotsInOrder(
            float[] evens, float[] odds, int size, MemorySegment run, double[] into) {
        long last = run.byteSize() - STEP;
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector a = zero;
        FloatVector b = zero;
        int pairs = size >> 1;
        int pair = 0;
        int row = 0;
        for (long at = 0; at <= last; at += STEP) {
            IntVector loaded = IntVector.fromMemorySegment(INTS, run, at, LITTLE_ENDIAN);
            a = even(loaded).fma(FloatVector.fromArray(FLOATS, evens, pair), a);
            b = odd(loaded).fma(FloatVector.fromArray(FLOATS, odds, pair), b);
            pair += LANES;
            if (pair == pairs) {
                into[row++] = LaneSums.sum(a.add(b));
                a = zero;
                b = zero;
                pair = 0;
            }
        }
    }

    private static void squaredDistancesInOrder(
            float[] evens, float[] odds, int size, MemorySegment run, double[] into) {
        long last = run.byteSize() - STEP;
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector a = zero;
        FloatVector b = zero;
        int pairs = size >> 1;
        int pair = 0;
        int row = 0;
        for (long at = 0; at <= last; at += STEP) {
            IntVector loaded = IntVector.fromMemorySegment(INTS, run, at, LITTLE_ENDIAN);
            FloatVector x = even(loaded).sub(FloatVector.fromArray(FLOATS, evens, pair));
            FloatVector y = odd(loaded).sub(FloatVector.fromArray(FLOATS, odds, pair));
            a = x.fma(x, a);
            b = y.fma(y, b);
            pair += LANES;
            if (pair == pairs) {
                into[row++] = LaneSums.sum(a.add(b));
                a = zero;
                b = zero;
                pair = 0;
            }
        }
    }

    static void cosines(
            float[] evens,
            float[] odds,
            double squaredLength,
            int size,
            MemorySegment run,
            double[] into) {
        long last = run.byteSize() - STEP;
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector a = zero;
        FloatVector b = zero;
        FloatVector lengthA = zero;
        FloatVector lengthB = zero;
        int pairs = size >> 1;
        int pair = 0;
        int row = 0;
        for (long at = 0; at <= last; at += STEP) {
            IntVector loaded = IntVector.fromMemorySegment(INTS, run, at, LITTLE_ENDIAN);
            FloatVector x = even(loaded);
            FloatVector y = odd(loaded);
            a = x.fma(FloatVector.fromArray(FLOATS, evens, pair), a);
            b = y.fma(FloatVector.fromArray(FLOATS, odds, pair), b);
            lengthA = x.fma(x, lengthA);
            lengthB = y.fma(y, lengthB);
            pair += LANES;
            if (pair == pairs) {
                double lengths = squaredLength * LaneSums.sum(lengthA.add(lengthB));
                into[row++] = ScalarRowKernels.cosine(LaneSums.sum(a.add(b)), lengths);
                a = zero;
                b = zero;
                lengthA = zero;
                lengthB = zero;
                pair = 0;
            }
        }
    }

    /**
     * The dot products of two runs of the same length side by side, two steps of a row at a time:
     * in the cache a sixth faster than one.
     *
     * @param size a multiple of two steps
     * @param half where the numbers of the second run start in {@code into}
     */
    private static void dotsSideBySide(
            float[] evens,
            float[] odds,
            int size,
            MemorySegment first,
            MemorySegment second,
            double[] into,
            int half) {
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector a = zero;
        FloatVector b = zero;
        FloatVector c = zero;
        FloatVector d = zero;
        int pairs = size >> 1;
        int pair = 0;
        int row = 0;
        long last = first.byteSize() - TWO_STEPS;
        for (long at = 0; at <= last; at += TWO_STEPS) {
            FloatVector even = FloatVector.fromArray(FLOATS, evens, pair);
            FloatVector odd = FloatVector.fromArray(FLOATS, odds, pair);
            IntVector x = IntVector.fromMemorySegment(INTS, first, at, LITTLE_ENDIAN);
            IntVector y = IntVector.fromMemorySegment(INTS, second, at, LITTLE_ENDIAN);
            a = even(x).fma(even, a);
            b = odd(x).fma(odd, b);
            c = even(y).fma(even, c);
            d = odd(y).fma(odd, d);
            FloatVector nextEven = FloatVector.fromArray(FLOATS, evens, pair + LANES);
            FloatVector nextOdd = FloatVector.fromArray(FLOATS, odds, pair + LANES);
            IntVector nextX = IntVector.fromMemorySegment(INTS, first, at + STEP, LITTLE_ENDIAN);
            IntVector nextY = IntVector.fromMemorySegment(INTS, second, at + STEP, LITTLE_ENDIAN);
            a = even(nextX).fma(nextEven, a);
            b = odd(nextX).fma(nextOdd, b);
            c = even(nextY).fma(nextEven, c);
            d = odd(nextY).fma(nextOdd, d);
            pair += 2 * LANES;
            if (pair == pairs) {
                into[row] = LaneSums.sum(a.add(b));
                into[half + row] = LaneSums.sum(c.add(d));
                row++;
                a = zero;
                b = zero;
                c = zero;
                d = zero;
                pair = 0;
            }
        }
    }

    /** The squared distances of two runs side by side. */
    private static void squaredDistancesSideBySide(
            float[] evens,
            float[] odds,
            int size,
            MemorySegment first,
            MemorySegment second,
            double[] into,
            int half) {
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector a = zero;
        FloatVector b = zero;
        FloatVector c = zero;
        FloatVector d = zero;
        int pairs = size >> 1;
        int pair = 0;
        int row = 0;
        long last = first.byteSize() - STEP;
        for (long at = 0; at <= last; at += STEP) {
            IntVector x = IntVector.fromMemorySegment(INTS, first, at, LITTLE_ENDIAN);
            IntVector y = IntVector.fromMemorySegment(INTS, second, at, LITTLE_ENDIAN);
            FloatVector even = FloatVector.fromArray(FLOATS, evens, pair);
            FloatVector odd = FloatVector.fromArray(FLOATS, odds, pair);
            FloatVector evenX = even(x).sub(even);
            FloatVector oddX = odd(x).sub(odd);
            FloatVector evenY = even(y).sub(even);
            FloatVector oddY = odd(y).sub(odd);
            a = evenX.fma(evenX, a);
            b = oddX.fma(oddX, b);
            c = evenY.fma(evenY, c);
            d = oddY.fma(oddY, d);
            pair += LANES;
            if (pair == pairs) {
                into[row] = LaneSums.sum(a.add(b));
                into[half + row] = LaneSums.sum(c.add(d));
                row++;
                a = zero;
                b = zero;
                c = zero;
                d = zero;
                pair = 0;
            }
        }
    }

    static double dot(float[] evens, float[] odds, int size, MemorySegment cells, long start) {
        int pairs = size >> 1;
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = FloatVector.zero(FLOATS);
        int pair = 0;
        for (; pair <= pairs - LANES; pair += LANES) {
            IntVector loaded = load(cells, start, pair);
            a = even(loaded).fma(FloatVector.fromArray(FLOATS, evens, pair), a);
            b = odd(loaded).fma(FloatVector.fromArray(FLOATS, odds, pair), b);
        }
        if (pair < pairs) {
            VectorMask<Float> rest = FLOATS.indexInRange(pair, pairs);
            IntVector loaded = loadRest(cells, start, pair, pairs);
            a = even(loaded).fma(FloatVector.fromArray(FLOATS, evens, pair, rest), a);
            b = odd(loaded).fma(FloatVector.fromArray(FLOATS, odds, pair, rest), b);
        }
        float sum = LaneSums.sum(a.add(b));
        return (size & 1) == 0 ? sum : sum + evens[pairs] * last(cells, start, size);
    }

    static double squaredDistance(
            float[] evens, float[] odds, int size, MemorySegment cells, long start) {
        int pairs = size >> 1;
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = FloatVector.zero(FLOATS);
        int pair = 0;
        for (; pair <= pairs - LANES; pair += LANES) {
            IntVector loaded = load(cells, start, pair);
            FloatVector x = even(loaded).sub(FloatVector.fromArray(FLOATS, evens, pair));
            FloatVector y = odd(loaded).sub(FloatVector.fromArray(FLOATS, odds, pair));
            a = x.fma(x, a);
            b = y.fma(y, b);
        }
        if (pair < pairs) {
            VectorMask<Float> rest = FLOATS.indexInRange(pair, pairs);
            IntVector loaded = loadRest(cells, start, pair, pairs);
            FloatVector x = even(loaded).sub(FloatVector.fromArray(FLOATS, evens, pair, rest));
            FloatVector y = odd(loaded).sub(FloatVector.fromArray(FLOATS, odds, pair, rest));
            a = x.fma(x, a);
            b = y.fma(y, b);
        }
        float sum = LaneSums.sum(a.add(b));
        if ((size & 1) != 0) {
            float difference = evens[pairs] - last(cells, start, size);
            sum += difference * difference;
        }
        return sum;
    }

    static double cosine(
            float[] evens,
            float[] odds,
            double squaredLength,
            int size,
            MemorySegment cells,
            long start) {
        int pairs = size >> 1;
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = FloatVector.zero(FLOATS);
        FloatVector lengthA = FloatVector.zero(FLOATS);
        FloatVector lengthB = FloatVector.zero(FLOATS);
        int pair = 0;
        for (; pair <= pairs - LANES; pair += LANES) {
            IntVector loaded = load(cells, start, pair);
            FloatVector x = even(loaded);
            FloatVector y = odd(loaded);
            a = x.fma(FloatVector.fromArray(FLOATS, evens, pair), a);
            b = y.fma(FloatVector.fromArray(FLOATS, odds, pair), b);
            lengthA = x.fma(x, lengthA);
            lengthB = y.fma(y, lengthB);
        }
        if (pair < pairs) {
            VectorMask<Float> rest = FLOATS.indexInRange(pair, pairs);
            IntVector loaded = loadRest(cells, start, pair, pairs);
            FloatVector x = even(loaded);
            FloatVector y = odd(loaded);
            a = x.fma(FloatVector.fromArray(FLOATS, evens, pair, rest), a);
            b = y.fma(FloatVector.fromArray(FLOATS, odds, pair, rest), b);
            lengthA = x.fma(x, lengthA);
            lengthB = y.fma(y, lengthB);
        }
        float dot = LaneSums.sum(a.add(b));
        float length = LaneSums.sum(lengthA.add(lengthB));
        if ((size & 1) != 0) {
            float last = last(cells, start, size);
            dot += evens[pairs] * last;
            length += last * last;
        }
        return ScalarRowKernels.cosine(dot, squaredLength * length);
    }

    static long differing(float[] evens, float[] odds, int size, MemorySegment cells, long start) {
        int pairs = size >> 1;
        int differing = 0;
        int pair = 0;
        for (; pair <= pairs - LANES; pair += LANES) {
            IntVector loaded = load(cells, start, pair);
            FloatVector even = FloatVector.fromArray(FLOATS, evens, pair);
            FloatVector odd = FloatVector.fromArray(FLOATS, odds, pair);
            differing += even(loaded).compare(NE, even).trueCount();
            differing += odd(loaded).compare(NE, odd).trueCount();
        }
        if (pair < pairs) {
            VectorMask<Float> rest = FLOATS.indexInRange(pair, pairs);
            IntVector loaded = loadRest(cells, start, pair, pairs);
            FloatVector even = FloatVector.fromArray(FLOATS, evens, pair, rest);
            FloatVector odd = FloatVector.fromArray(FLOATS, odds, pair, rest);
            differing += even(loaded).compare(NE, even).trueCount();
            differing += odd(loaded).compare(NE, odd).trueCount();
        }
        boolean lastDiffers = (size & 1) != 0 && evens[pairs] != last(cells, start, size);
        return lastDiffers ? differing + 1 : differing;
    }

    private static IntVector load(MemorySegment cells, long start, int pair) {
        long at = start + (long) pair * Integer.BYTES;
        return IntVector.fromMemorySegment(INTS, cells, at, LITTLE_ENDIAN);
    }

    private static IntVector loadRest(MemorySegment cells, long start, int pair, int pairs) {
        long at = start + (long) pair * Integer.BYTES;
        VectorMask<Integer> rest = INTS.indexInRange(pair, pairs);
        return IntVector.fromMemorySegment(INTS, cells, at, LITTLE_ENDIAN, rest);
    }

    private static FloatVector even(IntVector pairs) {
        return pairs.lanewise(LSHL, 16).reinterpretAsFloats();
    }

    private static FloatVector odd(IntVector pairs) {
        return pairs.and(UPPER_HALF).reinterpretAsFloats();
    }

    private static float last(MemorySegment cells, long start, int size) {
        long at = start + (long) (size - 1) * Short.BYTES;
        return Float.intBitsToFloat(cells.get(ScalarRowKernels.SHORT, at) << 16);
    }
}
