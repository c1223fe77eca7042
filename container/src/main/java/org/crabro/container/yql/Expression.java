package org.crabro.container.yql;

import java.util.List;

/** A part of a statement as it is written, before anyone asks whether it makes sense. */
sealed interface Expression {
    /** Returns the index of its first character in the statement. */
    int offset();

    record Text(int offset, String value) implements Expression {}

    record Whole(int offset, long value) implements Expression {}

    record Real(int offset, double value) implements Expression {}

    record Truth(int offset, boolean value) implements Expression {}

    record Nothing(int offset) implements Expression {}

    /** {@code @name}. */
    record Parameter(int offset, String name) implements Expression {}

    /**
     * A field, a fieldset or an input.
     *
     * @param path with its dots
     */
    record Name(int offset, String path) implements Expression {}

    /**
     * {@code f[3]} or {@code m{"k"}}.
     *
     * @param accessor offset of the bracket
     * @param element what stands in brackets
     * @param rest the path behind the bracket; empty for none
     */
    record Access(
            int offset,
            Expression base,
            int accessor,
            char bracket,
            Expression element,
            String rest)
            implements Expression {}

    record Call(int offset, String function, List<Expression> arguments) implements Expression {}

    record And(int offset, List<Expression> operands) implements Expression {}

    record Or(int offset, List<Expression> operands) implements Expression {}

    /** {@code !operand}. */
    record Not(int offset, Expression operand) implements Expression {}

    /**
     * Two operands and what stands between them.
     *
     * @param operatorOffset where the operator is
     */
    record Comparison(Expression left, int operatorOffset, Operator operator, Expression right)
            implements Expression {
        @Override
        public int offset() {
            return left.offset();
        }
    }

    /** {@code (1, 2, 3)} behind {@code in}, or {@code [1, 2, 3]}. */
    record ListOf(int offset, List<Expression> elements) implements Expression {}

    /** {@code {a: 1, b: 2}}. */
    record MapOf(int offset, List<Entry> entries) implements Expression {}

    /** {@code {targetHits: 10}operand}. */
    record Annotated(int offset, MapOf annotations, Expression operand) implements Expression {}

    record Entry(int offset, String key, Expression value) {}

    /** What stands between two operands. */
    enum Operator {
        EQUAL("="),
        NOT_EQUAL("!="),
        LESS("<"),
        GREATER(">"),
        LESS_OR_EQUAL("<="),
        GREATER_OR_EQUAL(">="),
        CONTAINS("contains"),
        MATCHES("matches"),
        LIKE("like"),
        IN("in"),
        NOT_MATCHES("not matches"),
        NOT_LIKE("not like"),
        NOT_IN("not in"),
        IS_NULL("is null"),
        IS_NOT_NULL("is not null");

        private final String written;

        Operator(String written) {
            this.written = written;
        }

        String written() {
            return written;
        }

        /** Returns the operator that says the same with its operands changed over. */
        Operator flipped() {
            return switch (this) {
                case LESS -> GREATER;
                case GREATER -> LESS;
                case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
                case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
                case EQUAL,
                        NOT_EQUAL,
                        CONTAINS,
                        MATCHES,
                        LIKE,
                        IN,
                        NOT_MATCHES,
                        NOT_LIKE,
                        NOT_IN,
                        IS_NULL,
                        IS_NOT_NULL ->
                        this;
            };
        }
    }
}
