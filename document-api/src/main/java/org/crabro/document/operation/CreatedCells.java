package org.crabro.document.operation;

import java.util.List;
import java.util.Optional;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.HeapCost;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * Upper bounds of the heap size in bytes of tensor cells that updates create. A change names one
 * cell, but creates a whole subspace.
 */
public final class CreatedCells {
    private CreatedCells() {}

    /** Returns the sum for all {@code updates}. */
    public static long heapBytes(List<FieldUpdate> updates, DocumentType type) {
        long sum = 0;
        for (FieldUpdate update : updates) {
            if (update.change() instanceof FieldChange.ModifyCells(_, boolean create, var cells)
                    && create) {
                sum += changed(update, type).map(tensor -> heapBytes(cells, tensor)).orElse(0L);
            }
        }
        return sum;
    }

    /** Returns the type of the tensor at the end of an update's path; empty if there is none. */
    private static Optional<TensorType> changed(FieldUpdate update, DocumentType type) {
        Optional<FieldType> at = type.field(update.field()).map(Field::type);
        for (UpdateStep step : update.path()) {
            at = at.flatMap(of -> inside(of, step));
        }
        return at.orElse(null) instanceof FieldType.TensorOf(var tensor)
                ? Optional.of(tensor)
                : Optional.empty();
    }

    private static Optional<FieldType> inside(FieldType type, UpdateStep step) {
        return switch (step) {
            case UpdateStep.Member(var name) ->
                    type instanceof FieldType.StructOf struct
                            ? struct.field(name).map(Field::type)
                            : Optional.empty();
            case UpdateStep.Index _ ->
                    type instanceof FieldType.ArrayOf(var element)
                            ? Optional.of(element)
                            : Optional.empty();
            case UpdateStep.Key _ ->
                    type instanceof FieldType.MapOf(_, var value)
                            ? Optional.of(value)
                            : Optional.empty();
            // A path with a variable is not followed by cells.
            case UpdateStep.Weight _, UpdateStep.Every _ -> Optional.empty();
        };
    }

    private static long heapBytes(TensorCells cells, TensorType type) {
        int size = type.subspaceSize();
        if (type.isDense()) {
            return HeapCost.dense(size);
        }
        // Cells of one subspace are usually adjacent; more than the limit are rejected.
        long most = DenseTensor.CELL_COUNT_MAX / size;
        long subspaces = 0;
        for (int i = 0; i < cells.size() && subspaces < most; i++) {
            if (i == 0 || !cells.labels(i).equals(cells.labels(i - 1))) {
                subspaces++;
            }
        }
        return HeapCost.mixed(subspaces, size, type.mappedCount(), 0);
    }
}
