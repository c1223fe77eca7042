package org.crabro.protocol.grouping;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A condition on the groups of a list, by their aggregates. */
public sealed interface GroupCondition {
    /** Returns the canonical form. */
    String text();

    /** Returns the values that are compared. */
    Stream<GroupExpression> values();

    /**
     * Returns whether a group is returned.
     *
     * @param aggregates returns the value of an aggregate in the group
     */
    boolean holds(Function<GroupExpression, GroupValue> aggregates);

    /** A comparison of two values. */
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

        /** Returns the operator in requests. */
        public String sign() {
            return sign;
        }
    }

    /** Selects groups by a comparison of two values. */
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

    /** Selects groups that do not fulfil another condition. */
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

    /** Selects groups that fulfil all conditions. */
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

    /** Selects groups that fulfil at least one condition. */
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
