package org.crabro.ranking.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.crabro.tensor.CellType;

/**
 * A {@link QueryVector} in the formats that the loops of the Vector API load, with its padding.
 * Immutable; formats that the cell type does not need are empty.
 */
final class VectorForms {
    /** For float cells. */
    final float[] floats;

    /** For bfloat16 cells: those with even indexes, which are the lower halves of ints. */
    final float[] evens;

    /** For bfloat16 cells: those with odd indexes. */
    final float[] odds;

    /** For int8 cells. */
    final int[] ints;

    /** For int8 cells. */
    final byte[] bytes;

    /** For int8 cells: outside the heap, from a multiple of the longest vector's size on. */
    final MemorySegment shorts;

    /**
     * For float and bfloat16 cells: the same outside the heap without padding, from a multiple of
     * the longest vector's size on; {@link #floats}, or {@link #evens} and then {@link #odds}.
     */
    final MemorySegment aligned;

    VectorForms(QueryVector query) {
        double[] cells = query.cells;
        CellType type = query.cellType;
        floats = type == CellType.FLOAT ? floats(cells, 0, 1) : new float[0];
        evens = type == CellType.BFLOAT16 ? floats(cells, 0, 2) : new float[0];
        odds = type == CellType.BFLOAT16 ? floats(cells, 1, 2) : new float[0];
        bytes = type == CellType.INT8 ? query.bytes(cells.length) : new byte[0];
        ints = new int[bytes.length];
        for (int i = 0; i < ints.length; i++) {
            ints[i] = bytes[i];
        }
        shorts = type == CellType.INT8 ? shorts(query.size) : MemorySegment.NULL;
        aligned = aligned(type, query.size);
    }

    private static float[] floats(double[] cells, int first, int step) {
        float[] floats = new float[cells.length / step];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) cells[first + i * step];
        }
        return floats;
    }

    private MemorySegment shorts(int size) {
        MemorySegment all = allocate(size, Short.BYTES);
        for (int i = 0; i < size; i++) {
            all.set(ScalarRowKernels.SHORT, (long) i * Short.BYTES, bytes[i]);
        }
        return all;
    }

    private MemorySegment aligned(CellType type, int size) {
        return switch (type) {
            case FLOAT -> {
                MemorySegment all = allocate(size, Float.BYTES);
                MemorySegment.copy(floats, 0, all, ScalarRowKernels.FLOAT, 0, size);
                yield all;
            }
            case BFLOAT16 -> {
                int even = size - size / 2;
                long tailStart = (long) even * Float.BYTES;
                MemorySegment all = allocate(size, Float.BYTES);
                MemorySegment.copy(evens, 0, all, ScalarRowKernels.FLOAT, 0, even);
                MemorySegment.copy(odds, 0, all, ScalarRowKernels.FLOAT, tailStart, size - even);
                yield all;
            }
            case DOUBLE, INT8 -> MemorySegment.NULL;
        };
    }

    private static MemorySegment allocate(int size, long cellSize) {
        return Arena.ofAuto().allocate(size * cellSize, QueryVector.ALIGNMENT);
    }
}
