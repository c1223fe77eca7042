package org.crabro.ranking.kernel;

import java.util.function.IntConsumer;

/**
 * Rows of a query, such as the vectors of its words, that those of many documents are compared
 * with. Made once per query; immutable and safe for use by many threads.
 */
public final class QueryRows {
    /** So many products take about 1 ms. */
    private static final int PRODUCTS_AT_ONCE = 1 << 22;

    /** Products that take as long as a unit of work. */
    private static final int PRODUCTS_PER_UNIT = 16;

    private final FloatKernels kernels;
    private final float[] rows;
    private final int count;
    private final int size;

    private QueryRows(FloatKernels kernels, double[] cells, int size) {
        this.kernels = kernels;
        this.size = size;
        this.count = cells.length / size;
        int abreast = kernels.abreast();
        int groups = Math.ceilDiv(count, abreast);
        rows = new float[groups * abreast * size];
        for (int row = 0; row < count; row++) {
            int group = row / abreast * abreast * size;
            for (int cell = 0; cell < size; cell++) {
                rows[group + cell * abreast + row % abreast] = (float) cells[row * size + cell];
            }
        }
    }

    /**
     * Returns rows.
     *
     * @param cells of one row after the other
     * @param size cells of a row
     */
    public static QueryRows of(double[] cells, int size) {
        return of(FloatKernels.BEST, cells, size);
    }

    static QueryRows of(FloatKernels kernels, double[] cells, int size) {
        return new QueryRows(kernels, cells, size);
    }

    /**
     * Returns the sum, over these rows, of the largest of their dot products with others; 0 where
     * there are none. Products are of floats, and summed as floats.
     *
     * @param others one row after the other, each of as many cells
     * @param cellCount of all others together
     * @param work receives units of work of 1 to 5 ns before it is done; may throw to end it
     */
    public double largestSum(float[] others, int cellCount, IntConsumer work) {
        int otherCount = cellCount / size;
        if (otherCount == 0) {
            return 0;
        }
        double sum = 0;
        // Kernels take pairs of groups of rows.
        int group = 2 * kernels.abreast();
        int atOnce = group * Math.max(1, PRODUCTS_AT_ONCE / group / Math.max(1, cellCount));
        for (int first = 0; first < count; first += atOnce) {
            int some = Math.min(atOnce, count - first);
            work.accept(
                    (int) Math.min(Integer.MAX_VALUE, (long) some * cellCount / PRODUCTS_PER_UNIT));
            sum += kernels.largestSum(rows, first, some, others, otherCount, size);
        }
        return sum;
    }
}
