package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import org.crabro.tensor.CellType;

/** Compares cell by cell in double. */
final class ScalarPairKernels implements PairKernels {
    @Override
    public double dot(
            CellType type,
            int size,
            MemorySegment one,
            long at,
            MemorySegment other,
            long otherAt) {
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum +=
                    ScalarRowKernels.cell(type, one, at, i)
                            * ScalarRowKernels.cell(type, other, otherAt, i);
        }
        return sum;
    }

    @Override
    public double squaredDistance(
            CellType type,
            int size,
            MemorySegment one,
            long at,
            MemorySegment other,
            long otherAt) {
        double sum = 0;
        for (int i = 0; i < size; i++) {
            double difference =
                    ScalarRowKernels.cell(type, one, at, i)
                            - ScalarRowKernels.cell(type, other, otherAt, i);
            sum += difference * difference;
        }
        return sum;
    }

    @Override
    public long differing(
            CellType type,
            int size,
            MemorySegment one,
            long at,
            MemorySegment other,
            long otherAt) {
        long differing = 0;
        for (int i = 0; i < size; i++) {
            double cell = ScalarRowKernels.cell(type, one, at, i);
            double otherCell = ScalarRowKernels.cell(type, other, otherAt, i);
            if (type == CellType.INT8) {
                differing += Integer.bitCount(((int) cell ^ (int) otherCell) & 0xff);
            } else if (cell != otherCell) {
                differing++;
            }
        }
        return differing;
    }
}
