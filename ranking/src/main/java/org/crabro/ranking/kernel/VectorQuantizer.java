package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.crabro.tensor.CellType;

/**
 * Rounds vectors to a byte a cell, evenly between the smallest and the largest of their cells
 * (scalar quantization), and tells how far that is from the vector. What is rounded to 0, the
 * number in the middle between the two, is not told: {@link QuantizedQuery} does without. Used
 * again for each vector; for one thread.
 *
 * <p>The same on every machine. What cannot be told well, of vectors with a cell that is no number
 * or larger than {@link #LARGEST}, has an infinite error.
 */
final class VectorQuantizer {
    /** Dot products of smaller cells are finite numbers in floats, too. */
    static final double LARGEST = 0x1p50;

    /** The largest magnitude of a rounded cell. */
    private static final int STEPS = 127;

    private static final float ABOVE_ZERO = STEPS + 1.5f;

    /** The squares of shorter vectors are too small for floats. */
    private static final double SHORTEST = 0x1p-50;

    private final CellType type;
    private final int size;
    private final float[] read;
    private final byte[] cells;
    private float scale;
    private float error;
    private float spread;
    private float sum;

    /**
     * @param type of the cells that are read: float or bfloat16
     * @param size how many there are
     */
    VectorQuantizer(CellType type, int size) {
        this.type = type;
        this.size = size;
        read = new float[size];
        cells = new byte[QuantizedVectors.rowSize(size)];
    }

    /** Rounds the vector at {@code offset} bytes. */
    void quantize(MemorySegment vector, long offset) {
        if (type == CellType.BFLOAT16) {
            for (int i = 0; i < size; i++) {
                short upper = vector.get(ScalarRowKernels.SHORT, offset + (long) i * Short.BYTES);
                read[i] = Float.intBitsToFloat(upper << Short.SIZE);
            }
        } else {
            MemorySegment.copy(vector, ScalarRowKernels.FLOAT, offset, read, 0, size);
        }
        quantize();
    }

    private void quantize() {
        float least = Float.POSITIVE_INFINITY;
        float most = Float.NEGATIVE_INFINITY;
        double total = 0;
        for (int i = 0; i < size; i++) {
            // Either is NaN once a cell is.
            least = Math.min(least, read[i]);
            most = Math.max(most, read[i]);
            total += read[i];
        }
        if (!(least >= -LARGEST && most <= LARGEST)) {
            Arrays.fill(cells, (byte) 0);
            scale = 0;
            error = Float.POSITIVE_INFINITY;
            spread = 0;
            sum = 0;
            return;
        }
        float middle = least + (most - least) / 2;
        float step = Math.max(middle - least, most - middle) / STEPS;
        // Too small a step would be inexact: then all cells are rounded to 0.
        scale = step < Float.MIN_NORMAL ? 0 : step;
        float perCell = scale == 0 ? 0 : 1 / scale;
        for (int i = 0; i < size; i++) {
            // Cutting off what is above 0 rounds it, once half is added.
            float rounded = (read[i] - middle) * perCell + ABOVE_ZERO;
            cells[i] = (byte) ((int) rounded - (int) ABOVE_ZERO);
        }
        error = above(Math.sqrt(differences(middle)));
        spread = above(scale * Math.sqrt(variances()));
        sum = (float) total;
    }

    /** The squares of how far rounded cells are from their mean. */
    private double variances() {
        long total = 0;
        long squares = 0;
        for (int i = 0; i < size; i++) {
            total += cells[i];
            squares += cells[i] * cells[i];
        }
        return Math.max(0, squares - (double) total * total / size);
    }

    /** The squares of what was lost, in four sums: each addition waits for the one before. */
    private double differences(double middle) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i <= size - 4; i += 4) {
            a += difference(i, middle);
            b += difference(i + 1, middle);
            c += difference(i + 2, middle);
            d += difference(i + 3, middle);
        }
        for (; i < size; i++) {
            a += difference(i, middle);
        }
        return a + b + (c + d);
    }

    private double difference(int index, double middle) {
        double difference = read[index] - middle - cells[index] * (double) scale;
        return difference * difference;
    }

    private static float above(double number) {
        return number == 0 ? 0 : Math.nextUp((float) number);
    }

    /** Returns the rounded cells, and zeros behind them: the same array each time. */
    byte[] cells() {
        return cells;
    }

    /** Returns what rounded cells are multiplied by. */
    float scale() {
        return scale;
    }

    /** Returns how long the difference from the vector is at most. */
    float error() {
        return error;
    }

    /** Returns how far the rounded vector is at most from one whose cells are all its mean. */
    float spread() {
        return spread;
    }

    /** Returns the sum of the cells, as they were before. */
    float sum() {
        return sum;
    }

    /**
     * Returns what the vector is multiplied by to become as long as 1, as it was before; 0 for one
     * of zeros, and NaN for one of which kernels that have to compute it may be far off.
     */
    float inverseLength() {
        double squares = 0;
        for (int i = 0; i < size; i++) {
            squares += (double) read[i] * read[i];
        }
        double length = Math.sqrt(squares);
        if (length == 0) {
            return 0;
        }
        return length >= SHORTEST && length <= LARGEST ? (float) (1 / length) : Float.NaN;
    }
}
