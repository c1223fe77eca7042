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
 * query lies ready as even and odd cells instead. Several accumulators, so that one fused
 * multiply-add need not wait for the one before it. The last, partial step is masked; of an odd
 * number of cells the last is done alone.
 */
final class Bfloat16Rows {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = INTS.length();
    private static final int UPPER_HALF = 0xffff_0000;

    private Bfloat16Rows() {}

    static double dot(float[] evens, float[] odds, int size, MemorySegment cells, long start) {
        int pairs = size >> 1;
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = FloatVector.zero(FLOATS);
        FloatVector c = FloatVector.zero(FLOATS);
        FloatVector d = FloatVector.zero(FLOATS);
        int i = 0;
        for (; i <= pairs - 2 * LANES; i += 2 * LANES) {
            IntVector first = load(cells, start, i);
            IntVector second = load(cells, start, i + LANES);
            a = even(first).fma(FloatVector.fromArray(FLOATS, evens, i), a);
            b = odd(first).fma(FloatVector.fromArray(FLOATS, odds, i), b);
            c = even(second).fma(FloatVector.fromArray(FLOATS, evens, i + LANES), c);
            d = odd(second).fma(FloatVector.fromArray(FLOATS, odds, i + LANES), d);
        }
        for (; i < pairs; i += LANES) {
            IntVector rest = loadRest(cells, start, i, pairs);
            a = even(rest).fma(FloatVector.fromArray(FLOATS, evens, i), a);
            b = odd(rest).fma(FloatVector.fromArray(FLOATS, odds, i), b);
        }
        float sum = LaneSums.sum(a.add(b).add(c.add(d)));
        return (size & 1) == 0 ? sum : sum + evens[pairs] * last(cells, start, size);
    }

    static double squaredDistance(
            float[] evens, float[] odds, int size, MemorySegment cells, long start) {
        int pairs = size >> 1;
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = FloatVector.zero(FLOATS);
        FloatVector c = FloatVector.zero(FLOATS);
        FloatVector d = FloatVector.zero(FLOATS);
        int i = 0;
        for (; i <= pairs - 2 * LANES; i += 2 * LANES) {
            IntVector first = load(cells, start, i);
            IntVector second = load(cells, start, i + LANES);
            FloatVector w = even(first).sub(FloatVector.fromArray(FLOATS, evens, i));
            FloatVector x = odd(first).sub(FloatVector.fromArray(FLOATS, odds, i));
            FloatVector y = even(second).sub(FloatVector.fromArray(FLOATS, evens, i + LANES));
            FloatVector z = odd(second).sub(FloatVector.fromArray(FLOATS, odds, i + LANES));
            a = w.fma(w, a);
            b = x.fma(x, b);
            c = y.fma(y, c);
            d = z.fma(z, d);
        }
        for (; i < pairs; i += LANES) {
            VectorMask<Float> rest = FLOATS.indexInRange(i, pairs);
            IntVector loaded = loadRest(cells, start, i, pairs);
            FloatVector w = even(loaded).sub(FloatVector.fromArray(FLOATS, evens, i, rest));
            FloatVector x = odd(loaded).sub(FloatVector.fromArray(FLOATS, odds, i, rest));
            a = w.fma(w, a);
            b = x.fma(x, b);
        }
        float sum = LaneSums.sum(a.add(b).add(c.add(d)));
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
        FloatVector c = FloatVector.zero(FLOATS);
        FloatVector d = FloatVector.zero(FLOATS);
        FloatVector lengthA = FloatVector.zero(FLOATS);
        FloatVector lengthB = FloatVector.zero(FLOATS);
        FloatVector lengthC = FloatVector.zero(FLOATS);
        FloatVector lengthD = FloatVector.zero(FLOATS);
        int i = 0;
        for (; i <= pairs - 2 * LANES; i += 2 * LANES) {
            IntVector first = load(cells, start, i);
            IntVector second = load(cells, start, i + LANES);
            FloatVector w = even(first);
            FloatVector x = odd(first);
            FloatVector y = even(second);
            FloatVector z = odd(second);
            a = w.fma(FloatVector.fromArray(FLOATS, evens, i), a);
            b = x.fma(FloatVector.fromArray(FLOATS, odds, i), b);
            c = y.fma(FloatVector.fromArray(FLOATS, evens, i + LANES), c);
            d = z.fma(FloatVector.fromArray(FLOATS, odds, i + LANES), d);
            lengthA = w.fma(w, lengthA);
            lengthB = x.fma(x, lengthB);
            lengthC = y.fma(y, lengthC);
            lengthD = z.fma(z, lengthD);
        }
        for (; i < pairs; i += LANES) {
            IntVector rest = loadRest(cells, start, i, pairs);
            FloatVector w = even(rest);
            FloatVector x = odd(rest);
            a = w.fma(FloatVector.fromArray(FLOATS, evens, i), a);
            b = x.fma(FloatVector.fromArray(FLOATS, odds, i), b);
            lengthA = w.fma(w, lengthA);
            lengthB = x.fma(x, lengthB);
        }
        float dot = LaneSums.sum(a.add(b).add(c.add(d)));
        float length = LaneSums.sum(lengthA.add(lengthB).add(lengthC.add(lengthD)));
        if ((size & 1) != 0) {
            float last = last(cells, start, size);
            dot += evens[pairs] * last;
            length += last * last;
        }
        return ScalarRowKernels.cosine(dot, squaredLength * length);
    }

    static long differing(float[] evens, float[] odds, int size, MemorySegment cells, long start) {
        int pairs = size >> 1;
        long differing = 0;
        for (int i = 0; i < pairs; i += LANES) {
            VectorMask<Float> rest = FLOATS.indexInRange(i, pairs);
            IntVector loaded = loadRest(cells, start, i, pairs);
            FloatVector even = FloatVector.fromArray(FLOATS, evens, i, rest);
            FloatVector odd = FloatVector.fromArray(FLOATS, odds, i, rest);
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
