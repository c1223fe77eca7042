package org.crabro.document.select;

import java.util.List;

/** A value that a selection compares. */
sealed interface Expression {
    record Literal(Value value) implements Expression {}

    /**
     * A field of a document.
     *
     * @param documentType of which the document is, or inherits
     */
    record FieldPath(String documentType, String field, List<PathStep> steps)
            implements Expression {
        public FieldPath {
            steps = List.copyOf(steps);
        }
    }

    /**
     * A field of another document, which has no value here.
     *
     * @param documentType of which the document is, or inherits
     */
    record Imported(String documentType) implements Expression {}

    /** The id of the document, or a part of it. */
    record OfId(IdPart part) implements Expression {}

    /** Whole seconds since 1970. */
    record Now() implements Expression {}

    /** What a path of the same comparison, or of one beside it, is at. */
    record Variable(String name) implements Expression {}

    record Call(Function function, Expression of) implements Expression {}

    /**
     * Operators of one rank, from left to right.
     *
     * @param operators one less than operands
     */
    record Arithmetic(List<Expression> operands, List<Operator> operators) implements Expression {
        public Arithmetic {
            operands = List.copyOf(operands);
            operators = List.copyOf(operators);
        }
    }

    /** An arithmetic operator. */
    enum Operator {
        ADD,
        SUBTRACT,
        MULTIPLY,
        DIVIDE,
        REMAINDER
    }

    /** A function that stands behind a value. */
    enum Function {
        HASH,
        ABS,
        LOWERCASE
    }

    /** What there is to compare of an id. */
    enum IdPart {
        ALL,
        SCHEME,
        NAMESPACE,
        TYPE,
        SPECIFIC,
        USER,
        GROUP,
        BUCKET,
        GID
    }
}
