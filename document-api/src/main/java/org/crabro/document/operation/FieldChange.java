package org.crabro.document.operation;

import java.util.HashSet;
import java.util.List;
import org.crabro.document.FieldValue;

/** A change of a value. */
public sealed interface FieldChange {
    /** Replaces it, or sets it where nothing is set. */
    record Assign(FieldValue value) implements FieldChange {}

    /** Takes it away: a field, a field of a struct, an element, a key with its value. */
    record Clear() implements FieldChange {}

    /**
     * Adds to an array, a weighted set or a tensor with mapped dimensions; to an empty one where
     * nothing is set.
     *
     * @param values of the type of what is added to. Elements are appended to an array, elements of
     *     a weighted set get the weight here, and subspaces of a tensor replace those with the same
     *     labels
     */
    record Add(FieldValue values) implements FieldChange {}

    /**
     * Removes from an array or a weighted set.
     *
     * @param values every element that is equal to one of these goes
     */
    record Remove(List<FieldValue> values) implements FieldChange {
        public Remove {
            values = List.copyOf(values);
        }
    }

    /**
     * Computes a number anew; from 0 where nothing is set. Whole numbers wrap around at the width
     * of their type, fractions are cut off. A division by 0 changes nothing.
     *
     * @param operand finite
     */
    record Arithmetic(Operator operator, double operand) implements FieldChange {
        public Arithmetic {
            if (!Double.isFinite(operand)) {
                throw new IllegalArgumentException("not finite: " + operand);
            }
        }
    }

    /** The operators. */
    enum Operator {
        ADD,
        SUBTRACT,
        MULTIPLY,
        DIVIDE
    }

    /**
     * Computes cells of a tensor anew. Those that are not there are left out, unless they are
     * created: with all cells of their subspace, which are 1 where they are multiplied and 0
     * otherwise.
     */
    record ModifyCells(CellOperator operator, boolean create, TensorCells cells)
            implements FieldChange {}

    /** What becomes of a cell. */
    enum CellOperator {
        REPLACE,
        ADD,
        MULTIPLY
    }

    /**
     * Removes subspaces of a tensor.
     *
     * @param dimensions mapped ones of the tensor, all or some, at least one
     * @param labels of these dimensions; every subspace that has one of them goes
     */
    record RemoveSubspaces(List<String> dimensions, List<List<String>> labels)
            implements FieldChange {
        public RemoveSubspaces {
            dimensions = List.copyOf(dimensions);
            labels = labels.stream().map(List::copyOf).toList();
            for (List<String> each : labels) {
                if (each.size() != dimensions.size()) {
                    throw new IllegalArgumentException("labels " + each + " of " + dimensions);
                }
            }
            if (dimensions.isEmpty() || new HashSet<>(dimensions).size() != dimensions.size()) {
                throw new IllegalArgumentException("dimensions " + dimensions);
            }
        }
    }
}
