package org.crabro.protocol.grouping;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which groups of a list are shown, by what they come to. */
public sealed interface GroupCondition {
    /** Returns the canonical form. */
    String text();

    /** Returns the values that are compared. */
    Stream<GroupExpression> values();

    /**
     * Returns whether a group is shown.
     *
     * @param aggregates gives what aggregates come to in it
     */
    boolean holds(Function<GroupExpression, GroupValue> aggregates);

    /** How two values stand to each other. */
    enum Comparison {
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

    /** Those of which one value stands to another as it says. */
    record Compared(GroupExpression left, Comparison comparison, GroupExpression right)
            implements GroupCondition {
        @Override
        public String text() {
            return "%s %s %s".formatted(left.text(), comparison.sign(), right.text());
        }

        @Override
        public Stream<GroupExpression> values() {
            return Stream.of(left, right);
        }

        @Override
        public boolean holds(Function<GroupExpression, GroupValue> aggregates) {
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

    /** The others. */
    record Not(GroupCondition operand) implements GroupCondition {
        @Override
        public String text() {
            return "not (" + operand.text() + ")";
        }

        @Override
        public Stream<GroupExpression> values() {
            return operand.values();
        }

        @Override
        public boolean holds(Function<GroupExpression, GroupValue> aggregates) {
            return !operand.holds(aggregates);
        }
    }

    /** Those for which all holds. */
    record And(List<GroupCondition> operands) implements GroupCondition {
        public And {
            operands = List.copyOf(operands);
        }

        @Override
        public String text() {
            return operands.stream()
                    .map(operand ->
                            operand instanceof Or ? "(" + operand.text() + ")" : operand.text())
                    .collect(Collectors.joining(" and "));
        }

        @Override
        public Stream<GroupExpression> values() {
            return operands.stream().flatMap(GroupCondition::values);
        }

        @Override
        public boolean holds(Function<GroupExpression, GroupValue> aggregates) {
            return operands.stream().allMatch(operand -> operand.holds(aggregates));
        }
    }

    /** Those for which any holds. */
    record Or(List<GroupCondition> operands) implements GroupCondition {
        public Or {
            operands = List.copyOf(operands);
        }

        @Override
        public String text() {
            return operands.stream().map(GroupCondition::text).collect(Collectors.joining(" or "));
        }

        @Override
        public Stream<GroupExpression> values() {
            return operands.stream().flatMap(GroupCondition::values);
        }

        @Override
        public boolean holds(Function<GroupExpression, GroupValue> aggregates) {
            return operands.stream().anyMatch(operand -> operand.holds(aggregates));
        }
    }
}
