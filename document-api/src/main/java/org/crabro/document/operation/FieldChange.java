package org.crabro.document.operation;

import java.util.HashSet;
import java.util.List;
import org.crabro.document.FieldValue;

/** A change of a value. */
public sealed interface FieldChange {
    /** Removes the value or parts of it, and adds none. */
    sealed interface Removal extends FieldChange {}

    /** Replaces the value, or sets it if it is not set. */
    record Assign(FieldValue value) implements FieldChange {}

    /** Removes the value: a field, a member of a struct, an element, or a key with its value. */
    record Clear() implements Removal {}

    /**
     * Adds to an array, a weighted set or a tensor with mapped dimensions. A value that is not set
     * counts as empty.
     *
     * @param values of the type of the changed value. Elements are appended to an array, elements
     *     of a weighted set get the weight here, and subspaces of a tensor replace those with the
     *     same labels
     */
    record Add(FieldValue values) implements FieldChange {}

    /**
     * Removes from an array or a weighted set.
     *
     * @param values elements that equal one of these are removed
     */
    record Remove(List<FieldValue> values) implements Removal {
        public Remove {
            values = List.copyOf(values);
        }
    }

    /**
     * Computes a number from the current one, or from 0 if it is not set. Whole numbers wrap around
     * at the width of their type, and fractions are truncated. A division by 0 changes nothing.
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
     * Computes cells of a tensor. Missing cells are skipped, or created with all cells of their
     * subspace: with the value 1 for multiplications and 0 otherwise.
     */
    record ModifyCells(CellOperator operator, boolean create, TensorCells cells)
            implements FieldChange {}

    /** The computation of a cell. */
    enum CellOperator {
        REPLACE,
        ADD,
        MULTIPLY
    }

    /**
     * Removes subspaces of a tensor.
     *
     * @param dimensions mapped dimensions of the tensor, all or some, at least one
     * @param labels of these dimensions; every subspace with one of these combinations is removed
     */
    record RemoveSubspaces(List<String> dimensions, List<List<String>> labels) implements Removal {
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
