package org.crabro.container.rows;

import org.crabro.protocol.encoding.RowAssembly;
import org.crabro.tensor.CellType;

/** Encodes cells of one type. */
final class CellEncoder {
    private final CellType type;
    private final RowAssembly row;

    CellEncoder(CellType type, RowAssembly row) {
        this.type = type;
        this.row = row;
    }

    /** Puts what a cell keeps of {@code value}. */
    void put(double value) {
        double cell = type.narrow(value);
        switch (type) {
            case DOUBLE -> row.putLong(Double.doubleToRawLongBits(cell));
            case FLOAT -> row.putInt(Float.floatToRawIntBits((float) cell));
            case BFLOAT16 -> row.putShort(Float.floatToRawIntBits((float) cell) >>> Short.SIZE);
            case INT8 -> row.putByte((int) cell);
        }
    }

    /** Puts what a cell keeps of {@code value}, where the bytes at {@code place} are. */
    void set(int place, double value) {
        int from = row.size();
        put(value);
        row.moveLast(from, place);
    }
}
