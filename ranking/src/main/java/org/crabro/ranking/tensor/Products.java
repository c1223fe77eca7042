package org.crabro.ranking.tensor;

import java.util.List;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Sums of products of cells, without intermediate products: of two dense tensors over some of their
 * dimensions, such as dot products and matrix products. Created once for types; immutable.
 */
public final class Products {
    private final TensorType type;
    private final boolean isDot;
    private final int[] leftBases;
    private final int[] rightBases;
    private final int[] leftSteps;
    private final int[] rightSteps;

    /**
     * @param left dense
     * @param right dense
     * @param names the dimensions that are summed over; empty means all
     */
    public Products(TensorType left, TensorType right, List<String> names) {
        TensorType joined = TensorTypes.join(left, right);
        this.type = TensorTypes.reduce(joined, names);
        TensorType summed =
                TensorTypes.isNumber(type)
                        ? joined
                        : TensorTypes.slice(
                                joined,
                                new TreeSet<>(
                                        type.dimensions().stream().map(Dimension::name).toList()));
        this.isDot = TensorTypes.isNumber(type) && left.dimensions().equals(right.dimensions());
        this.leftBases = Shape.offsets(type, left);
        this.rightBases = Shape.offsets(type, right);
        this.leftSteps = Shape.offsets(summed, left);
        this.rightSteps = Shape.offsets(summed, right);
    }

    /** Returns the type of results. */
    public TensorType type() {
        return type;
    }

    /**
     * Returns the sums for the cells of two tensors.
     *
     * @param work receives the units of {@link TensorWork}
     */
    public TensorData apply(double[] left, double[] right, IntConsumer work) {
        double[] sums = new double[leftBases.length];
        for (int i = 0; i < sums.length; i++) {
            work.accept(leftSteps.length);
            sums[i] = sum(left, leftBases[i], right, rightBases[i]);
        }
        return TensorData.dense(type, sums);
    }

    /** Returns the only sum, for a sum over all dimensions. Allocates nothing. */
    public double number(double[] left, double[] right) {
        return isDot ? dot(left, 0, right, 0, leftSteps.length) : sum(left, 0, right, 0);
    }

    private double sum(double[] left, int leftBase, double[] right, int rightBase) {
        double sum = 0;
        for (int i = 0; i < leftSteps.length; i++) {
            sum += left[leftBase + leftSteps[i]] * right[rightBase + rightSteps[i]];
        }
        return sum;
    }

    /** Adds products of {@code count} cells, in four sums so that none waits for the one before. */
    static double dot(double[] left, int from, double[] right, int to, int count) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int whole = count & ~3;
        for (int i = 0; i < whole; i += 4) {
            a += left[from + i] * right[to + i];
            b += left[from + i + 1] * right[to + i + 1];
            c += left[from + i + 2] * right[to + i + 2];
            d += left[from + i + 3] * right[to + i + 3];
        }
        for (int i = whole; i < count; i++) {
            a += left[from + i] * right[to + i];
        }
        return (a + b) + (c + d);
    }

    /**
     * Returns the sum, over the rows of one tensor, of the largest dot product with a row of
     * another; 0 if either has none. Allocates nothing.
     *
     * @param size cells of a row
     * @param work receives the units of {@link TensorWork}
     */
    public static double largestSum(
            CellBuffer ones, CellBuffer others, int size, IntConsumer work) {
        int rows = others.count() / size;
        double sum = 0;
        if (rows == 0) {
            return 0;
        }
        for (int from = 0; from < ones.count(); from += size) {
            work.accept(others.count());
            double largest = dot(ones.cells(), from, others.cells(), 0, size);
            for (int row = 1; row < rows; row++) {
                double product = dot(ones.cells(), from, others.cells(), row * size, size);
                largest = largest < product ? product : largest;
            }
            sum += largest;
        }
        return sum;
    }

    /** Returns the number of differing bits of cells converted to bytes. Allocates nothing. */
    public static double differingBits(double[] left, double[] right, int count) {
        int bits = 0;
        for (int i = 0; i < count; i++) {
            bits += Integer.bitCount(((int) left[i] ^ (int) right[i]) & 0xff);
        }
        return bits;
    }

    /**
     * Returns the sum of the {@code weights} whose bit is set in cells converted to bytes.
     * Allocates nothing.
     *
     * @param weights eight for each cell
     */
    public static double sumOfBits(double[] weights, double[] bytes, int count, boolean bigEndian) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            int bits = (byte) (int) bytes[i];
            for (int bit = 0; bit < 8; bit++) {
                sum += (bits >> (bigEndian ? 7 - bit : bit) & 1) * weights[8 * i + bit];
            }
        }
        return sum;
    }
}
