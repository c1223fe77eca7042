package org.crabro.document.select;

import java.util.List;

/** A value that a selection compares. */
sealed interface Expression {
    /**
     * Returns whether a variable is in it, so that it may have several values. What is around
     * others knows it of them: who evaluates many in each other asks each.
     */
    default boolean hasVariable() {
        return switch (this) {
            case Literal _, Imported _, OfId _, Now _ -> false;
            case Variable _ -> true;
            case FieldPath path -> path.steps().stream().anyMatch(PathStep.Each.class::isInstance);
            case Call call -> call.hasVariable();
            case Arithmetic arithmetic -> arithmetic.hasVariable();
        };
    }

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

    /** The current element of a path in the same comparison or in one next to it. */
    record Variable(String name) implements Expression {}

    /**
     * A function of a value.
     *
     * @param hasVariable of the value
     */
    record Call(Function function, Expression of, boolean hasVariable) implements Expression {
        Call(Function function, Expression of) {
            this(function, of, of.hasVariable());
        }
    }

    /**
     * Operators of one rank, from left to right.
     *
     * @param operators one less than operands
     * @param hasVariable of one of the operands
     */
    record Arithmetic(List<Expression> operands, List<Operator> operators, boolean hasVariable)
            implements Expression {
        public Arithmetic {
            operands = List.copyOf(operands);
            operators = List.copyOf(operators);
        }

        Arithmetic(List<Expression> operands, List<Operator> operators) {
            this(operands, operators, operands.stream().anyMatch(Expression::hasVariable));
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

    /** A function that follows a value. */
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
