package org.crabro.document.select;

import java.util.List;

/** A value that a selection compares. */
sealed interface SelectionExpression {
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

    record Literal(Value value) implements SelectionExpression {}

    /**
     * A field of a document.
     *
     * @param documentType of which the document is, or inherits
     */
    record FieldPath(String documentType, String field, List<PathStep> steps)
            implements SelectionExpression {
        public FieldPath {
            steps = List.copyOf(steps);
        }
    }

    /**
     * A field of another document, which has no value here.
     *
     * @param documentType of which the document is, or inherits
     */
    record Imported(String documentType) implements SelectionExpression {}

    /** The id of the document, or a part of it. */
    record OfId(IdPart part) implements SelectionExpression {}

    /** Whole seconds since 1970. */
    record Now() implements SelectionExpression {}

    /** The current element of a path in the same comparison or in one next to it. */
    record Variable(String name) implements SelectionExpression {}

    /**
     * A function of a value.
     *
     * @param hasVariable of the value
     */
    record Call(Function function, SelectionExpression of, boolean hasVariable)
            implements SelectionExpression {
        Call(Function function, SelectionExpression of) {
            this(function, of, of.hasVariable());
        }
    }

    /**
     * Operators of one rank, from left to right.
     *
     * @param operators one less than operands
     * @param hasVariable of one of the operands
     */
    record Arithmetic(
            List<SelectionExpression> operands, List<Operator> operators, boolean hasVariable)
            implements SelectionExpression {
        public Arithmetic {
            operands = List.copyOf(operands);
            operators = List.copyOf(operators);
        }

        Arithmetic(List<SelectionExpression> operands, List<Operator> operators) {
            this(operands, operators, operands.stream().anyMatch(SelectionExpression::hasVariable));
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
