package org.crabro.protocol.grouping;

import java.util.List;
import java.util.stream.Collectors;

/** Which documents take part in a grouping. */
public sealed interface GroupFilter {
    /** Returns the canonical form. */
    String text();

    /** Those of which some value has a part that the pattern matches. */
    record Regex(String pattern, GroupExpression value) implements GroupFilter {
        @Override
        public String text() {
            return "regex(" + GroupExpression.quoted(pattern) + ", " + value.text() + ")";
        }
    }

    /** Those of which some value lies between two numbers. */
    record Range(
            double from, double to, GroupExpression value, boolean fromIncluded, boolean toIncluded)
            implements GroupFilter {
        @Override
        public String text() {
            return "range(%s, %s, %s, %s, %s)"
                    .formatted(from, to, value.text(), fromIncluded, toIncluded);
        }
    }

    /** Those of which some value is true. */
    record IsTrue(GroupExpression value) implements GroupFilter {
        @Override
        public String text() {
            return "istrue(" + value.text() + ")";
        }
    }

    /** The others. */
    record Not(GroupFilter operand) implements GroupFilter {
        @Override
        public String text() {
            return "not (" + operand.text() + ")";
        }
    }

    /** Those that pass all. */
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

    /** Those that pass any. */
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
