package org.crabro.content.search.rank;

import java.util.function.Supplier;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.ColumnCost;
import org.crabro.document.memory.MemoryShare;
import org.crabro.ranking.tensor.TensorData;

/**
 * Charges the request for a tensor while it is made from the elements of a row. The evaluation of
 * the expression charges the tensor itself afterwards.
 */
final class LabelMemory {
    /** Rows with fewer elements are not charged. */
    private static final int UNCHARGED = 256;

    /** An element in a map and in arrays, with its labels and its cell, in bytes. */
    private static final long ELEMENT = 256;

    private LabelMemory() {}

    /**
     * Returns a tensor that is made from the value of a row.
     *
     * @throws org.crabro.document.memory.MemoryRefusedException if there is no memory for it
     */
    static TensorData made(Column column, int row, Supplier<TensorData> tensor) {
        int elements = elements(column, row);
        if (elements <= UNCHARGED) {
            return tensor.get();
        }
        MemoryShare memory = MemoryShare.current();
        long bytes = ELEMENT * elements + ColumnCost.of(column, row, row + 1);
        memory.chargeNow(bytes);
        try {
            return tensor.get();
        } finally {
            memory.release(bytes);
        }
    }

    private static int elements(Column column, int row) {
        return switch (column) {
            case Column.Arrays arrays -> arrays.first(row + 1) - arrays.first(row);
            case Column.WeightedSets sets -> sets.first(row + 1) - sets.first(row);
            case Column.Maps maps -> maps.first(row + 1) - maps.first(row);
            case Column.MixedTensors tensors -> tensors.first(row + 1) - tensors.first(row);
            case Column.FixedWidth _, Column.Texts _, Column.Structs _ -> 1;
        };
    }
}
