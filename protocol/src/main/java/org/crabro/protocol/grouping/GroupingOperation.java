package org.crabro.protocol.grouping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * What is to be done with a group or a list of groups, as a person writes it.
 *
 * @param group what to group by
 * @param label of what an {@code each} makes; empty for the name that it has by itself
 */
public record GroupingOperation(
        Kind kind,
        Optional<GroupExpression> group,
        Clauses clauses,
        List<GroupingOperation> children,
        String label) {
    /** For {@link Clauses#max}: all that there are. */
    public static final int UNLIMITED = -1;

    public GroupingOperation {
        children = List.copyOf(children);
    }

    /** Whether it is about all together or about each of them. */
    public enum Kind {
        ALL,
        EACH
    }

    /** Which documents the whole request is about. */
    public enum Where {
        /** Nothing is said. */
        UNSAID,
        /** Those that match the query. */
        MATCHES,
        /** Those that were looked at. */
        EVERYTHING
    }

    /**
     * A value shown of a group.
     *
     * @param label what it is called
     */
    public record Output(GroupExpression value, String label) {
        String text() {
            return label.equals(value.text())
                    ? label
                    : value.text() + " as(" + labelText(label) + ")";
        }
    }

    /** What groups are ordered by. */
    public record Order(GroupExpression value, boolean descending) {
        String text() {
            return (descending ? "-" : "") + value.text();
        }
    }

    /**
     * What is said of how to do it.
     *
     * @param max how many are shown, or {@link GroupingOperation#UNLIMITED}
     * @param having which groups are shown: those for which all holds
     * @param fill which groups without documents are shown
     * @param accuracy how exact it must be at least; it always is
     * @param precision how many groups nodes consider at least; they consider all
     */
    public record Clauses(
            Where where,
            Optional<GroupFilter> filter,
            OptionalInt max,
            List<Order> order,
            List<GroupCondition> having,
            Optional<GroupFill> fill,
            List<Output> outputs,
            OptionalDouble accuracy,
            OptionalInt precision,
            List<String> hints) {
        /** Nothing is said. */
        public static final Clauses NONE =
                new Clauses(
                        Where.UNSAID,
                        Optional.empty(),
                        OptionalInt.empty(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        OptionalDouble.empty(),
                        OptionalInt.empty(),
                        List.of());

        public Clauses {
            order = List.copyOf(order);
            having = List.copyOf(having);
            outputs = List.copyOf(outputs);
            hints = List.copyOf(hints);
        }
    }

    /** Returns the canonical form. */
    public String text() {
        List<String> parts = new ArrayList<>();
        group.ifPresent(by -> parts.add("group(" + by.text() + ")"));
        clauses.hints.forEach(hint -> parts.add("hint(" + hint + ")"));
        clauses.accuracy.ifPresent(accuracy -> parts.add("accuracy(" + accuracy + ")"));
        clauses.precision.ifPresent(precision -> parts.add("precision(" + precision + ")"));
        switch (clauses.where) {
            case UNSAID -> {}
            case MATCHES -> parts.add("where($query)");
            case EVERYTHING -> parts.add("where(true)");
        }
        clauses.filter.ifPresent(filter -> parts.add("filter(" + filter.text() + ")"));
        clauses.max.ifPresent(max -> parts.add("max(" + (max == UNLIMITED ? "inf" : max) + ")"));
        if (!clauses.order.isEmpty()) {
            parts.add(
                    clauses.order.stream()
                            .map(Order::text)
                            .collect(Collectors.joining(", ", "order(", ")")));
        }
        if (!clauses.having.isEmpty()) {
            GroupCondition having =
                    clauses.having.size() == 1
                            ? clauses.having.getFirst()
                            : new GroupCondition.And(clauses.having);
            parts.add("having(" + having.text() + ")");
        }
        clauses.fill.ifPresent(fill -> parts.add(fill.text()));
        if (!clauses.outputs.isEmpty()) {
            parts.add(
                    clauses.outputs.stream()
                            .map(Output::text)
                            .collect(Collectors.joining(", ", "output(", ")")));
        }
        children.forEach(child -> parts.add(child.text()));
        String body = String.join(" ", parts);
        return switch (kind) {
            case ALL -> "all(" + body + ")";
            case EACH ->
                    "each(" + body + ")" + (label.isEmpty() ? "" : " as(" + labelText(label) + ")");
        };
    }

    private static String labelText(String label) {
        return label.matches("[a-zA-Z_][a-zA-Z0-9_]*") ? label : GroupExpression.quoted(label);
    }
}
