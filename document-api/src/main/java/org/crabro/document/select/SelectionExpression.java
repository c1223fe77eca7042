package org.crabro.document.select;

import java.util.List;

/** A value that a selection compares. */
sealed interface SelectionExpression {
    /**
     * Returns whether the expression contains a variable, so that it may have several values.
     * Compound expressions store the result, because it is needed at each level of deeply nested
     * expressions.
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

    /** An expression that reads no field of the document itself. */
    sealed interface WithoutField extends SelectionExpression {}

    record Literal(Value value) implements WithoutField {}

    /**
     * A field of a document.
     *
     * @param documentType the type of the document, or an ancestor of it
     */
    record FieldPath(String documentType, String field, List<PathStep> steps)
            implements SelectionExpression {
        public FieldPath {
            steps = List.copyOf(steps);
        }
    }

    /**
     * A field imported from another document, which has no value here.
     *
     * @param documentType the type of the document, or an ancestor of it
     */
    record Imported(String documentType) implements WithoutField {}

    /** The id of the document, or a part of it. */
    record OfId(IdPart part) implements WithoutField {}

    /** Whole seconds since 1970. */
    record Now() implements WithoutField {}

    /** The current element of a path in the same comparison or in an adjacent one. */
    record Variable(String name) implements WithoutField {}

    /**
     * A function of a value.
     *
     * @param hasVariable whether the value contains a variable
     */
    record Call(Function function, SelectionExpression of, boolean hasVariable)
            implements SelectionExpression {
        Call(Function function, SelectionExpression of) {
            this(function, of, of.hasVariable());
        }
    }

    /**
     * Operators of one precedence, from left to right.
     *
     * @param operators one less than operands
     * @param hasVariable whether an operand contains a variable
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

    /** The parts of an id. */
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
