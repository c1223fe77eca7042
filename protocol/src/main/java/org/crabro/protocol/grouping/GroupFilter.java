package org.crabro.protocol.grouping;

import java.util.List;
import java.util.stream.Collectors;

/** A condition on documents that take part in a grouping. */
public sealed interface GroupFilter {
    /** Returns the canonical form. */
    String text();

    /** Selects documents with a value of which the pattern matches a part. */
    record Regex(String pattern, GroupExpression value) implements GroupFilter {
        @Override
        public String text() {
            return "regex(" + GroupExpression.quoted(pattern) + ", " + value.text() + ")";
        }
    }

    /** Selects documents with a value between two numbers. */
    record Range(
            double from, double to, GroupExpression value, boolean fromIncluded, boolean toIncluded)
            implements GroupFilter {
        @Override
        public String text() {
            return "range(%s, %s, %s, %s, %s)"
                    .formatted(from, to, value.text(), fromIncluded, toIncluded);
        }
    }

    /** Selects documents with a value that is true. */
    record IsTrue(GroupExpression value) implements GroupFilter {
        @Override
        public String text() {
            return "istrue(" + value.text() + ")";
        }
    }

    /** Selects documents that another filter does not select. */
    record Not(GroupFilter operand) implements GroupFilter {
        @Override
        public String text() {
            return "not (" + operand.text() + ")";
        }
    }

    /** Selects documents that all filters select. */
    record And(List<GroupFilter> operands) implements GroupFilter {
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
    }

    /** Selects documents that at least one filter selects. */
    record Or(List<GroupFilter> operands) implements GroupFilter {
        public Or {
            operands = List.copyOf(operands);
        }

        @Override
        public String text() {
            return operands.stream().map(GroupFilter::text).collect(Collectors.joining(" or "));
        }
    }
}
