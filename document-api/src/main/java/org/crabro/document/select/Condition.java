package org.crabro.document.select;

import java.util.List;

/** A condition of a selection. */
sealed interface Condition {
    /** Returns whether the condition contains a variable. */
    default boolean hasVariable() {
        return switch (this) {
            case Constant _, OfType _ -> false;
            case Not(var part) -> part.hasVariable();
            case And(var parts) -> isVariableIn(parts);
            case Or(var parts) -> isVariableIn(parts);
            case Compare(_, var left, var right) -> left.hasVariable() || right.hasVariable();
        };
    }

    // In a loop: conditions may be deeply nested, and a stream needs many stack frames.
    private static boolean isVariableIn(List<Condition> parts) {
        for (Condition part : parts) {
            if (part.hasVariable()) {
                return true;
            }
        }
        return false;
    }

    record Constant(Truth truth) implements Condition {}

    /** The document has a type, and not one that inherits from it. */
    record OfType(String name) implements Condition {}

    /** At least two conditions. */
    record And(List<Condition> parts) implements Condition {
        public And {
            parts = List.copyOf(parts);
        }
    }

    /** At least two conditions. */
    record Or(List<Condition> parts) implements Condition {
        public Or {
            parts = List.copyOf(parts);
        }
    }

    record Not(Condition part) implements Condition {}

    record Compare(Comparison comparison, SelectionExpression left, SelectionExpression right)
            implements Condition {}
}
