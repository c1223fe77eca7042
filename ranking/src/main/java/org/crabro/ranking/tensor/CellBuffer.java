package org.crabro.ranking.tensor;

/** The cells of a tensor without their labels, in memory that is used again. For one thread. */
public final class CellBuffer {
    private double[] own = {};
    private double[] cells = own;
    private int count;

    /** Returns room for the cells of the next tensor, of which {@code size} are written then. */
    public double[] room(int size) {
        if (own.length < size) {
            own = new double[size];
        }
        cells = own;
        count = size;
        return own;
    }

    /** Takes the cells of a tensor as they are. */
    public void hold(TensorData tensor) {
        cells = tensor.cells();
        count = cells.length;
    }

    /** Returns the cells, one subspace after the other; there may be more room behind them. */
    public double[] cells() {
        return cells;
    }

    /** Returns how many cells there are. */
    public int count() {
        return count;
    }
}
