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
     * truncated towards zero, so that 300 becomes 44 and 255 becomes -1. Cells of documents,
     * queries, packages and expressions are all converted in this way.
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
}
