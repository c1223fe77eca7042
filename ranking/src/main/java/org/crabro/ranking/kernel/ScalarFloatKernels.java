package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import org.crabro.tensor.CellType;

/** Computes cell by cell in double: the reference for tests, and the fallback. */
final class ScalarFloatKernels implements FloatKernels {
    @Override
    public int abreast() {
        return 1;
    }

    @Override
    public void copy(CellType type, MemorySegment bytes, long start, float[] into, int count) {
        long offset = start * type.size();
        for (int i = 0; i < count; i++) {
            into[i] = (float) ScalarRowKernels.cell(type, bytes, offset, i);
        }
    }

    @Override
    public double dot(float[] left, float[] right, int count) {
        return dot(left, 0, right, 0, count);
    }

    @Override
    public double largestSum(
            float[] rows, int first, int count, float[] others, int otherCount, int size) {
        double sum = 0;
        for (int row = first; row < first + count; row++) {
            double largest = dot(rows, row * size, others, 0, size);
            for (int other = 1; other < otherCount; other++) {
                largest = Math.max(largest, dot(rows, row * size, others, other * size, size));
            }
            sum += largest;
        }
        return sum;
    }

    private static double dot(float[] left, int from, float[] right, int to, int count) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += (double) left[from + i] * right[to + i];
        }
        return sum;
    }
}
