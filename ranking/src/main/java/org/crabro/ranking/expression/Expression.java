package org.crabro.ranking.expression;

import java.util.List;

/**
 * A rank expression. Immutable; to add a form, add a record here and the compiler lists every
 * {@code switch} that has to learn of it.
 */
public sealed interface Expression {
    /** A number. */
    record Constant(double value) implements Expression {}

    /** A string: worth the number that its hash is. */
    record Text(String value) implements Expression {}

    /**
     * A feature, a function of the profile or a name bound by it.
     *
     * @param name such as {@code bm25}
     * @param arguments as written; none for {@code now} or {@code myFunction}
     * @param output the part behind the dot, such as {@code logscale}; empty for the default
     */
    record Feature(String name, List<Expression> arguments, String output) implements Expression {
        public Feature {
            arguments = List.copyOf(arguments);
        }
    }

    /** A sign or a negation before a value. */
    record Unary(UnaryOperator operator, Expression operand) implements Expression {}

    /** Two operands. */
    record Binary(BinaryOperator operator, Expression left, Expression right)
            implements Expression {}

    /** A call of a function that the language knows, such as {@code max(a, b)}. */
    record Call(String function, List<Expression> arguments) implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /** {@code then} where {@code condition} is not 0, else {@code otherwise}. */
    record If(Expression condition, Expression then, Expression otherwise) implements Expression {}
}
