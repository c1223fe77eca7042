package org.crabro.protocol.grouping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * An operation on a group or on a list of groups, as in the request.
 *
 * @param group the group-by expression
 * @param label the name of the result of an {@code each}; empty for its default name
 */
public record GroupingOperation(
        Kind kind,
        Optional<GroupExpression> group,
        Clauses clauses,
        List<GroupingOperation> children,
        String label) {
    /** For {@link ListClauses#max}: no limit. */
    public static final int UNLIMITED = -1;

    public GroupingOperation {
        children = List.copyOf(children);
    }

    /** Whether the operation applies to all together or to each element. */
    public enum Kind {
        ALL,
        EACH
    }

    /** The documents of the whole request. */
    public enum Where {
        /** Not specified. */
        UNSAID,
        /** Documents that match the query. */
        MATCHES,
        /** All documents in scope. */
        EVERYTHING
    }

    /**
     * A returned value of a group.
     *
     * @param label its name in the result
     */
    public record Output(GroupExpression value, String label) {
        String text() {
            return label.equals(value.text())
                    ? label
                    : value.text() + " as(" + labelText(label) + ")";
        }
    }

    /** A sort key of groups. */
    public record Order(GroupExpression value, boolean descending) {
        String text() {
            return (descending ? "-" : "") + value.text();
        }
    }

    /** The clauses of an operation, apart from {@code group}. */
    public record Clauses(
            DocumentClauses documents, ListClauses list, List<Output> outputs, HintClauses hints) {
        /** No clauses. */
        public static final Clauses NONE =
                new Clauses(DocumentClauses.NONE, ListClauses.NONE, List.of(), HintClauses.NONE);

        public Clauses {
            outputs = List.copyOf(outputs);
        }
    }

    /** Which documents are grouped. */
    public record DocumentClauses(Where where, Optional<GroupFilter> filter) {
        public static final DocumentClauses NONE =
                new DocumentClauses(Where.UNSAID, Optional.empty());
    }

    /**
     * Which groups of a list are returned, and in which order.
     *
     * @param max the maximum number of returned groups, or {@link GroupingOperation#UNLIMITED}
     * @param having conditions that returned groups must all fulfil
     * @param fill the groups without documents to return
     */
    public record ListClauses(
            OptionalInt max,
            List<Order> order,
            List<GroupCondition> having,
            Optional<GroupFill> fill) {
        public static final ListClauses NONE =
                new ListClauses(OptionalInt.empty(), List.of(), List.of(), Optional.empty());

        public ListClauses {
            order = List.copyOf(order);
            having = List.copyOf(having);
        }
    }

    /**
     * Clauses that permit inexact results. They have no effect, as results are always exact.
     *
     * @param accuracy the required accuracy, above 0 and at most 1
     * @param precision the least number of groups that nodes must consider; they consider all
     */
    public record HintClauses(OptionalDouble accuracy, OptionalInt precision, List<String> names) {
        public static final HintClauses NONE =
                new HintClauses(OptionalDouble.empty(), OptionalInt.empty(), List.of());

        public HintClauses {
            names = List.copyOf(names);
        }
    }

    /** Returns the canonical form. */
    public String text() {
        List<String> parts = new ArrayList<>();
        group.ifPresent(by -> parts.add("group(" + by.text() + ")"));
        clauses.hints.names.forEach(hint -> parts.add("hint(" + hint + ")"));
        clauses.hints.accuracy.ifPresent(accuracy -> parts.add("accuracy(" + accuracy + ")"));
        clauses.hints.precision.ifPresent(precision -> parts.add("precision(" + precision + ")"));
        switch (clauses.documents.where) {
            case UNSAID -> {}
            case MATCHES -> parts.add("where($query)");
            case EVERYTHING -> parts.add("where(true)");
        }
        clauses.documents.filter.ifPresent(filter -> parts.add("filter(" + filter.text() + ")"));
        clauses.list.max.ifPresent(
                max -> parts.add("max(" + (max == UNLIMITED ? "inf" : max) + ")"));
        if (!clauses.list.order.isEmpty()) {
            parts.add(
                    clauses.list.order.stream()
                            .map(Order::text)
                            .collect(Collectors.joining(", ", "order(", ")")));
        }
        if (!clauses.list.having.isEmpty()) {
            GroupCondition having =
                    clauses.list.having.size() == 1
                            ? clauses.list.having.getFirst()
                            : new GroupCondition.And(clauses.list.having);
            parts.add("having(" + having.text() + ")");
        }
        clauses.list.fill.ifPresent(fill -> parts.add(fill.text()));
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
