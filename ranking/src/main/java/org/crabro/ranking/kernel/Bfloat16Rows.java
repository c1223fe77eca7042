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
 * Each int contains two cells, and a bfloat16 is the upper half of a float: the lower cell becomes a
 * float by a shift, the upper one by clearing the bits below it. So no lane has to move; the query
 * is stored as even and odd cells instead. The last, partial step of a row is masked. With an odd
 * number of cells the mask would include a cell of the query after the row's end, so the last cell
 * is computed separately. The comment of VectorRowKernels explains why runs have a loop of their
 * own; Bfloat16Runs has a faster one for long runs outside the heap.
 */
final class Bfloat16Rows {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = INTS.length();
    private static final int STEP = INTS.vectorByteSize();
    static final int UPPER_HALF = 0xffff_0000;

    private Bfloat16Rows() {}

    /** Returns whether rows of {@code size} cells consist of whole vectors. */
    static boolean isWhole(int size) {
        return size % (2 * LANES) == 0;
    }

    static void dots(float[] evens, float[] odds, int size, MemorySegment run, double[] into) {
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

    static void squaredDistances(
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
                float dot = LaneSums.sum(a.add(b));
                float length = LaneSums.sum(lengthA.add(lengthB));
                into[row++] = FloatCosines.of(dot, squaredLength, length);
                a = zero;
                b = zero;
                lengthA = zero;
                lengthB = zero;
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
            VectorMask<Float> mask = FLOATS.indexInRange(pair, pairs);
            IntVector loaded = loadTail(cells, start, pair, pairs);
            a = even(loaded).fma(FloatVector.fromArray(FLOATS, evens, pair, mask), a);
            b = odd(loaded).fma(FloatVector.fromArray(FLOATS, odds, pair, mask), b);
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
            VectorMask<Float> mask = FLOATS.indexInRange(pair, pairs);
            IntVector loaded = loadTail(cells, start, pair, pairs);
            FloatVector x = even(loaded).sub(FloatVector.fromArray(FLOATS, evens, pair, mask));
            FloatVector y = odd(loaded).sub(FloatVector.fromArray(FLOATS, odds, pair, mask));
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
            VectorMask<Float> mask = FLOATS.indexInRange(pair, pairs);
            IntVector loaded = loadTail(cells, start, pair, pairs);
            FloatVector x = even(loaded);
            FloatVector y = odd(loaded);
            a = x.fma(FloatVector.fromArray(FLOATS, evens, pair, mask), a);
            b = y.fma(FloatVector.fromArray(FLOATS, odds, pair, mask), b);
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
        return FloatCosines.of(dot, squaredLength, length);
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
            VectorMask<Float> mask = FLOATS.indexInRange(pair, pairs);
            IntVector loaded = loadTail(cells, start, pair, pairs);
            FloatVector even = FloatVector.fromArray(FLOATS, evens, pair, mask);
            FloatVector odd = FloatVector.fromArray(FLOATS, odds, pair, mask);
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

    private static IntVector loadTail(MemorySegment cells, long start, int pair, int pairs) {
        long at = start + (long) pair * Integer.BYTES;
        VectorMask<Integer> mask = INTS.indexInRange(pair, pairs);
        return IntVector.fromMemorySegment(INTS, cells, at, LITTLE_ENDIAN, mask);
    }

    static FloatVector even(IntVector pairs) {
        return pairs.lanewise(LSHL, 16).reinterpretAsFloats();
    }

    static FloatVector odd(IntVector pairs) {
        return pairs.and(UPPER_HALF).reinterpretAsFloats();
    }

    private static float last(MemorySegment cells, long start, int size) {
        long at = start + (long) (size - 1) * Short.BYTES;
        return Float.intBitsToFloat(cells.get(ScalarRowKernels.SHORT, at) << 16);
    }
}
