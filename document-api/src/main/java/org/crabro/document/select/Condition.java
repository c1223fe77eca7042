package org.crabro.document.select;

import java.util.List;

/** What a selection asks of a document. */
sealed interface Condition {
    record Constant(Truth truth) implements Condition {}

    /** The document is of a type, and of no other that inherits from it. */
    record OfType(String name) implements Condition {}

    /** Of at least two. */
    record And(List<Condition> parts) implements Condition {
        public And {
            parts = List.copyOf(parts);
        }
    }

    /** Of at least two. */
    record Or(List<Condition> parts) implements Condition {
        public Or {
            parts = List.copyOf(parts);
        }
    }

    record Not(Condition part) implements Condition {}

    record Compare(Comparison comparison, Expression left, Expression right) implements Condition {}
}
