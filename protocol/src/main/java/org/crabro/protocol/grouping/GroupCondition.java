package org.crabro.protocol.grouping;

import java.util.function.Function;

/** Which groups of a list are shown: those of which one value stands to another as it says. */
public record GroupCondition(GroupExpression left, Comparison comparison, GroupExpression right) {
    /** How two values stand to each other. */
    public enum Comparison {
        EQUAL("="),
        NOT_EQUAL("!="),
        LESS("<"),
        LESS_OR_EQUAL("<="),
        GREATER(">"),
        GREATER_OR_EQUAL(">=");

        private final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        /** Returns the sign that is written. */
        public String sign() {
            return sign;
        }
    }

    /** Returns the canonical form. */
    String text() {
        return "%s %s %s".formatted(left.text(), comparison.sign(), right.text());
    }

    /**
     * Returns whether a group is shown.
     *
     * @param aggregates gives what aggregates come to in it
     */
    boolean holds(Function<GroupExpression, GroupValue> aggregates) {
        int compared =
                GroupValue.compare(
                        GroupMath.value(left, aggregates), GroupMath.value(right, aggregates));
        return switch (comparison) {
            case EQUAL -> compared == 0;
            case NOT_EQUAL -> compared != 0;
            case LESS -> compared < 0;
            case LESS_OR_EQUAL -> compared <= 0;
            case GREATER -> compared > 0;
            case GREATER_OR_EQUAL -> compared >= 0;
        };
    }
}
