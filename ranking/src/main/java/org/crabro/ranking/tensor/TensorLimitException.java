package org.crabro.ranking.tensor;

/** A tensor would have more cells than ranking computes with; the message goes to the user. */
public final class TensorLimitException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The most cells of a tensor that is computed: 32 MiB. */
    public static final int CELL_COUNT_MAX = 1 << 22;

    TensorLimitException(long cells) {
        super(
                "a tensor would have %d cells; ranking computes with at most %d"
                        .formatted(cells, CELL_COUNT_MAX));
    }

    /**
     * Returns {@code subspaces} times {@code size}.
     *
     * @throws TensorLimitException if that is more than the maximum number of cells
     */
    public static int cells(long subspaces, long size) {
        long cells = Math.multiplyExact(subspaces, size);
        if (cells > CELL_COUNT_MAX) {
            throw new TensorLimitException(cells);
        }
        return (int) cells;
    }
}
