package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.crabro.tensor.CellType;

/** Computes cell by cell in double: the reference for tests, and the fallback. */
final class ScalarRowKernels implements RowKernels {
    static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Returns cell {@code index} of the row at {@code offset} bytes. */
    static double cell(CellType type, MemorySegment cells, long offset, int index) {
        long at = offset + (long) index * type.size();
        return switch (type) {
            case DOUBLE -> cells.get(DOUBLE, at);
            case FLOAT -> cells.get(FLOAT, at);
            case BFLOAT16 -> Float.intBitsToFloat(cells.get(SHORT, at) << 16);
            case INT8 -> cells.get(ValueLayout.JAVA_BYTE, at);
        };
    }

    @Override
    public double dot(QueryVector query, MemorySegment cells, long offset) {
        double sum = 0;
        for (int i = 0; i < query.size; i++) {
            sum += query.cells[i] * cell(query.cellType, cells, offset, i);
        }
        return sum;
    }

    @Override
    public double squaredDistance(QueryVector query, MemorySegment cells, long offset) {
        double sum = 0;
        for (int i = 0; i < query.size; i++) {
            double difference = query.cells[i] - cell(query.cellType, cells, offset, i);
            sum += difference * difference;
        }
        return sum;
    }

    @Override
    public double cosine(QueryVector query, MemorySegment cells, long offset) {
        double dot = 0;
        double squaredLength = 0;
        for (int i = 0; i < query.size; i++) {
            double cell = cell(query.cellType, cells, offset, i);
            dot += query.cells[i] * cell;
            squaredLength += cell * cell;
        }
        return cosine(dot, query.squaredLength * squaredLength);
    }

    @Override
    public long differing(QueryVector query, MemorySegment cells, long offset) {
        long differing = 0;
        for (int i = 0; i < query.size; i++) {
            double cell = cell(query.cellType, cells, offset, i);
            if (query.cellType == CellType.INT8) {
                differing += Integer.bitCount(((int) query.cells[i] ^ (int) cell) & 0xff);
            } else if (query.cells[i] != cell) {
                differing++;
            }
        }
        return differing;
    }

    /** Returns the cosine, given both squared lengths multiplied. */
    static double cosine(double dot, double squaredLengths) {
        return squaredLengths == 0 ? 0 : dot / Math.sqrt(squaredLengths);
    }
}
