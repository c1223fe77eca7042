package org.crabro.protocol.json;

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

    /** Puts {@code value}, narrowed to the cell type. */
    void put(double value) {
        double cell = type.narrow(value);
        switch (type) {
            case DOUBLE -> row.putLong(Double.doubleToRawLongBits(cell));
            case FLOAT -> row.putInt(Float.floatToRawIntBits((float) cell));
            case BFLOAT16 -> row.putShort(Float.floatToRawIntBits((float) cell) >>> Short.SIZE);
            case INT8 -> row.putByte((int) cell);
        }
    }

    /** Replaces the cell at {@code place} by {@code value}, narrowed to the cell type. */
    void set(int place, double value) {
        int from = row.size();
        put(value);
        row.moveLast(from, place);
    }
}
