package org.crabro.tensor;

/** How a tensor's cells are kept. */
public enum CellType {
    DOUBLE(8),
    FLOAT(4),
    BFLOAT16(2),
    INT8(1);

    private final int size;

    CellType(int size) {
        this.size = size;
    }

    /** Returns the bytes of one cell. */
    public int size() {
        return size;
    }

    /**
     * Returns the value that a cell of this type keeps of {@code value}: the nearest float; the
     * upper half of a float's bits, cut off, for bfloat16; for int8 the lowest eight bits of the
     * integer, cut towards zero, so that 300 is 44.
     */
    public double narrow(double value) {
        return switch (this) {
            case DOUBLE -> value;
            case FLOAT -> (float) value;
            case BFLOAT16 ->
                    Float.intBitsToFloat(Float.floatToRawIntBits((float) value) & 0xffff0000);
            case INT8 -> (byte) (int) value;
        };
    }

    /**
     * Returns the value nearest to {@code value} that a cell of this type can hold: 127 for 300 in
     * an int8. Values in queries, packages and expressions are converted in this way, without
     * wrapping around.
     */
    public double nearest(double value) {
        return this == INT8
                ? Math.clamp((long) value, Byte.MIN_VALUE, Byte.MAX_VALUE)
                : narrow(value);
    }
}
