package org.crabro.tensor;

/** The type of a tensor's cells. */
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
     * Converts {@code value} to the precision of the type: the nearest float; for bfloat16 the
     * upper half of a float's bits, truncated; for int8 the lowest eight bits of the integer,
     * truncated towards zero, so that 300 becomes 44.
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
     * Returns the nearest value that a cell of this type can represent: 127 for 300 in an int8.
     * Values in queries, packages and expressions are converted in this way, without wrapping
     * around.
     */
    public double nearest(double value) {
        return this == INT8
                ? Math.clamp((long) value, Byte.MIN_VALUE, Byte.MAX_VALUE)
                : narrow(value);
    }
}
