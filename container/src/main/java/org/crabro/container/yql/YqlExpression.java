package org.crabro.container.yql;

import java.util.List;

/** A part of a parsed statement, before its meaning is checked. */
sealed interface YqlExpression {
    /** Returns the index of its first character in the statement. */
    int offset();

    /** A value as the statement or the request gives it. */
    sealed interface Value extends YqlExpression {}

    record Text(int offset, String value) implements Value {}

    record Whole(int offset, long value) implements Value {}

    record Real(int offset, double value) implements Value {}

    record Truth(int offset, boolean value) implements Value {}

    record Nothing(int offset) implements Value {}

    /** {@code @name}. */
    record Parameter(int offset, String name) implements Value {}

    /**
     * A field, a fieldset or an input.
     *
     * @param path with its dots
     */
    record Name(int offset, String path) implements YqlExpression {}

    /**
     * {@code f[3]} or {@code m{"k"}}.
     *
     * @param accessor offset of the bracket
     * @param element the expression in brackets
     * @param path the path after the bracket; empty if there is none
     */
    record Access(
            int offset,
            YqlExpression base,
            int accessor,
            char bracket,
            YqlExpression element,
            String path)
            implements YqlExpression {}

    record Call(int offset, String function, List<YqlExpression> arguments)
            implements YqlExpression {}

    record And(int offset, List<YqlExpression> operands) implements YqlExpression {}

    record Or(int offset, List<YqlExpression> operands) implements YqlExpression {}

    /** {@code !operand}. */
    record Not(int offset, YqlExpression operand) implements YqlExpression {}

    /**
     * Two operands and the operator between them.
     *
     * @param operatorOffset where the operator is
     */
    record Comparison(
            YqlExpression left, int operatorOffset, Operator operator, YqlExpression right)
            implements YqlExpression {
        @Override
        public int offset() {
            return left.offset();
        }
    }

    /** {@code (1, 2, 3)} after {@code in}, or {@code [1, 2, 3]}. */
    record ListOf(int offset, List<YqlExpression> elements) implements Value {}

    /** {@code {a: 1, b: 2}}. */
    record MapOf(int offset, List<Entry> entries) implements Value {}

    /** {@code {targetHits: 10}operand}. */
    record Annotated(int offset, MapOf annotations, YqlExpression operand)
            implements YqlExpression {}

    record Entry(int offset, String key, YqlExpression value) {}

    /** An operator between two operands. */
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

        /** Returns the operator with the same meaning for swapped operands. */
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
