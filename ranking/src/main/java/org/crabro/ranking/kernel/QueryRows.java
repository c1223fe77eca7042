package org.crabro.ranking.kernel;

/**
 * Rows of a query, such as the vectors of its words, that those of many documents are compared
 * with. Made once per query; immutable and safe for use by many threads.
 */
public final class QueryRows {
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
     */
    public double largestSum(float[] others, int cellCount) {
        int otherCount = cellCount / size;
        return otherCount == 0 ? 0 : kernels.largestSum(rows, count, others, otherCount, size);
    }
}
