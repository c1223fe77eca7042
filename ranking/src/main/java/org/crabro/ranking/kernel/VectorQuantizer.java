package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.crabro.tensor.CellType;

/**
 * Quantizes vectors to one byte per cell, evenly between their smallest and largest cell (scalar
 * quantization), and computes the error. The number that is rounded to 0, the middle of the range,
 * is not stored: {@link QuantizedQuery} does not need it. Reused for each vector. Not thread-safe.
 *
 * <p>Results are the same on every machine. A vector with a cell that is NaN or larger than {@link
 * #LARGEST} has an infinite error.
 */
final class VectorQuantizer {
    /** Dot products of cells up to this magnitude are finite in floats. */
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
            // Both become NaN if a cell is NaN.
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
            // Truncation of a positive number after adding 0.5 rounds it.
            float rounded = (read[i] - middle) * perCell + ABOVE_ZERO;
            cells[i] = (byte) ((int) rounded - (int) ABOVE_ZERO);
        }
        error = above(Math.sqrt(differences(middle)));
        spread = above(scale * Math.sqrt(variances()));
        sum = (float) total;
    }

    /** Returns the sum of the squared differences of rounded cells from their mean. */
    private double variances() {
        long total = 0;
        long squares = 0;
        for (int i = 0; i < size; i++) {
            total += cells[i];
            squares += cells[i] * cells[i];
        }
        return Math.max(0, squares - (double) total * total / size);
    }

    /**
     * Returns the sum of squared rounding errors. Four sums avoid that each addition waits for the
     * one before.
     */
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

    /** Returns the rounded cells, padded with zeros; always the same array. */
    byte[] cells() {
        return cells;
    }

    /** Returns the factor of rounded cells. */
    float scale() {
        return scale;
    }

    /** Returns the maximum length of the difference from the vector. */
    float error() {
        return error;
    }

    /** Returns the maximum distance of the rounded vector from one whose cells are all its mean. */
    float spread() {
        return spread;
    }

    /** Returns the sum of the cells before rounding. */
    float sum() {
        return sum;
    }

    /**
     * Returns the factor that scales the original vector to length 1; 0 for a vector of zeros.
     * Returns NaN if the length is outside the range in which kernels compute it exactly enough.
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
