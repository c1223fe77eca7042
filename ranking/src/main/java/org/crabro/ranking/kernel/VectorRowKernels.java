package org.crabro.ranking.kernel;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;

/**
 * Many cells at a time, with the Vector API. The loops are static methods of one class per cell
 * type; nothing made in one of them leaves it but a number, so no vector is ever boxed.
 */
final class VectorRowKernels implements RowKernels {
    /** Returns whether the machine adds at least four floats at a time. */
    static boolean isWorthwhile() {
        return FloatVector.SPECIES_PREFERRED.length() >= 4;
    }

    @Override
    public double dot(QueryVector query, MemorySegment cells, long offset) {
        return switch (query.cellType) {
            case DOUBLE -> DoubleRows.dot(query.cells, query.size, cells, offset);
            case FLOAT -> FloatRows.dot(query.floats, query.size, cells, offset);
            case BFLOAT16 -> Bfloat16Rows.dot(query.evens, query.odds, query.size, cells, offset);
            case INT8 -> Int8Rows.dot(query.ints, query.size, cells, offset);
        };
    }

    @Override
    public double squaredDistance(QueryVector query, MemorySegment cells, long offset) {
        return switch (query.cellType) {
            case DOUBLE -> DoubleRows.squaredDistance(query.cells, query.size, cells, offset);
            case FLOAT -> FloatRows.squaredDistance(query.floats, query.size, cells, offset);
            case BFLOAT16 ->
                    Bfloat16Rows.squaredDistance(
                            query.evens, query.odds, query.size, cells, offset);
            case INT8 -> Int8Rows.squaredDistance(query.ints, query.size, cells, offset);
        };
    }

    @Override
    public double cosine(QueryVector query, MemorySegment cells, long offset) {
        double length = query.squaredLength;
        return switch (query.cellType) {
            case DOUBLE -> DoubleRows.cosine(query.cells, length, query.size, cells, offset);
            case FLOAT -> FloatRows.cosine(query.floats, length, query.size, cells, offset);
            case BFLOAT16 ->
                    Bfloat16Rows.cosine(query.evens, query.odds, length, query.size, cells, offset);
            case INT8 -> Int8Rows.cosine(query.ints, length, query.size, cells, offset);
        };
    }

    @Override
    public long differing(QueryVector query, MemorySegment cells, long offset) {
        return switch (query.cellType) {
            case DOUBLE -> DoubleRows.differing(query.cells, query.size, cells, offset);
            case FLOAT -> FloatRows.differing(query.floats, query.size, cells, offset);
            case BFLOAT16 ->
                    Bfloat16Rows.differing(query.evens, query.odds, query.size, cells, offset);
            case INT8 -> Int8Rows.differing(query.bytes, query.size, cells, offset);
        };
    }
}
