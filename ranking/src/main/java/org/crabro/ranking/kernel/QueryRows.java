package org.crabro.ranking.kernel;

import java.util.function.IntConsumer;

/**
 * The rows of a query, such as the vectors of its words, which are compared with the rows of many
 * documents. Created once per query. Immutable and thread-safe.
 */
public final class QueryRows {
    /** The number of products that take about 1 ms. */
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
     * Returns the sum, over these rows, of the largest of their dot products with others; 0 if
     * there are none. Products are computed and summed in float.
     *
     * @param others one row after another, each of the same number of cells
     * @param cellCount of all others together
     * @param work receives units of work of 1 to 5 ns before the work is done; may throw to stop it
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
