package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.crabro.tensor.CellType;

/** Writes cells as columns have them. */
final class Cells {
    private Cells() {}

    static void write(MemorySegment cells, long at, CellType type, double value) {
        double narrowed = type.narrow(value);
        switch (type) {
            case DOUBLE ->
                    cells.set(
                            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                            at,
                            narrowed);
            case FLOAT ->
                    cells.set(
                            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                            at,
                            (float) narrowed);
            case BFLOAT16 ->
                    cells.set(
                            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                            at,
                            (short) (Float.floatToRawIntBits((float) narrowed) >>> 16));
            case INT8 -> cells.set(ValueLayout.JAVA_BYTE, at, (byte) narrowed);
        }
    }
}
