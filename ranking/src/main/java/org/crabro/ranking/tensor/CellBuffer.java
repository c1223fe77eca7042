package org.crabro.ranking.tensor;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a tensor without their labels, in memory that is used again: as doubles, or as
 * floats. For one thread.
 */
public final class CellBuffer {
    private final boolean isFloat;
    private double[] own = {};
    private double[] cells = own;
    private float[] floats = {};
    private int count;
    private @Nullable TensorData held;

    /** Makes room for doubles. */
    public CellBuffer() {
        this(false);
    }

    /**
     * @param isFloat whether cells are wanted as floats
     */
    public CellBuffer(boolean isFloat) {
        this.isFloat = isFloat;
    }

    /** Returns whether cells are written to {@link #floatRoom}, and not to {@link #room}. */
    public boolean isFloat() {
        return isFloat;
    }

    /**
     * Returns an array for the cells of the next tensor; the caller writes the first {@code size}.
     */
    public double[] room(int size) {
        if (own.length < size) {
            own = new double[size];
        }
        cells = own;
        count = size;
        return own;
    }

    /** Returns such an array for floats. */
    public float[] floatRoom(int size) {
        if (floats.length < size) {
            floats = new float[size];
        }
        held = null;
        count = size;
        return floats;
    }

    /** Takes the cells of a tensor as they are. */
    @SuppressWarnings("ReferenceEquality") // The same object again need not be copied again.
    public void hold(TensorData tensor) {
        if (!isFloat) {
            cells = tensor.cells();
            count = cells.length;
        } else if (tensor != held) {
            double[] from = tensor.cells();
            float[] into = floatRoom(from.length);
            for (int i = 0; i < from.length; i++) {
                into[i] = (float) from[i];
            }
            held = tensor;
        }
    }

    /**
     * Replaces each cell, a byte, by its eight bits. Cells have to be floats, and must be written
     * or set again before the next call.
     *
     * @param bigEndian whether the first bit is the largest
     */
    public void unpackBits(boolean bigEndian) {
        held = null;
        if (floats.length < Byte.SIZE * count) {
            floats = Arrays.copyOf(floats, Byte.SIZE * count);
        }
        // From the last one on: the bits are written after the cells that are read.
        for (int i = count - 1; i >= 0; i--) {
            int bits = (byte) floats[i];
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                floats[Byte.SIZE * i + bit] = bits >> (bigEndian ? 7 - bit : bit) & 1;
            }
        }
        count *= Byte.SIZE;
    }

    /** Returns the cells of consecutive subspaces; the array can be longer. */
    public double[] cells() {
        return cells;
    }

    /** Returns the cells as {@link #cells} does, if they are floats. */
    public float[] floats() {
        return floats;
    }

    /** Returns how many cells there are. */
    public int count() {
        return count;
    }
}
