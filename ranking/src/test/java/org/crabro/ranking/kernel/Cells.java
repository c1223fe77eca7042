package org.crabro.ranking.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.crabro.tensor.CellType;

/** Writes cells as columns contain them, with their stored lengths. */
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

    /** Returns the stored factors that scale vectors to length 1. */
    static MemorySegment inverseLengths(Arena arena, CellType type, MemorySegment cells, int rows) {
        MemorySegment lengths = arena.allocate((long) rows * Float.BYTES);
        int size = (int) (cells.byteSize() / rows / type.size());
        for (int row = 0; row < rows; row++) {
            double squares = 0;
            for (int i = 0; i < size; i++) {
                double cell =
                        ScalarRowKernels.cell(type, cells, (long) row * size * type.size(), i);
                squares += cell * cell;
            }
            float inverse = (float) (1 / Math.sqrt(squares));
            inverse = inverse == Float.POSITIVE_INFINITY ? 0 : inverse;
            lengths.set(ScalarRowKernels.FLOAT, (long) row * Float.BYTES, inverse);
        }
        return lengths;
    }
}
