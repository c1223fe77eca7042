package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.protocol.query.QueryNode;

/**
 * Converts the expression after {@code where} to the tree of the query. Readers convert its parts:
 * {@link ComparisonReader}, {@link ContainsReader}, {@link UserInputReader} and {@link Operators}.
 */
final class TreeBuilder {
    private static final Set<String> FUNCTIONS =
            Set.of(
                    "dotProduct",
                    "geoBoundingBox",
                    "geoLocation",
                    "labeled",
                    "nearestNeighbor",
                    "nonEmpty",
                    "predicate",
                    "range",
                    "rank",
                    "userInput",
                    "userQuery",
                    "wand",
                    "weakAnd",
                    "weightedSet");

    private final Operands operands;
    private final Operators operators;
    private final UserInputReader userInput;
    private final ComparisonReader comparisons;
    private final ContainsReader contains;

    /**
     * @param what describes the text in errors
     */
    TreeBuilder(String what, String statement, QueryContext context) {
        this.operands = new Operands(what, statement, context);
        this.operators = new Operators(operands, context);
        this.userInput = new UserInputReader(operands, context, operators);
        var times = new TimeReader(operands, context);
        this.comparisons = new ComparisonReader(operands, context, operators, times);
        this.contains =
                new ContainsReader(operands, context, operators, userInput, times, this::node);
    }

    QueryNode tree(YqlExpression expression) {
        var ids = new TermIds();
        QueryNode tree = node(expression, Annotations.none(operands, ids));
        ids.check(operands);
        return tree;
    }

    private QueryNode node(YqlExpression expression, Annotations around) {
        return switch (expression) {
            case YqlExpression.And(_, var children) -> and(children, around);
            case YqlExpression.Or(_, var children) -> or(children, around);
            case YqlExpression.Not(_, var operand) ->
                    new QueryNode.Without(new QueryNode.All(), List.of(node(operand, around)));
            case YqlExpression.Annotated(_, var annotations, var operand) ->
                    node(operand, around.with(annotations));
            case YqlExpression.Truth(_, var value) ->
                    value ? new QueryNode.All() : new QueryNode.None();
            case YqlExpression.Call call -> call(call, around);
            case YqlExpression.Comparison(var left, var at, var operator, var right)
                    when left instanceof YqlExpression.Annotated(_, var annotations, var operand) ->
                    // Annotations before a condition apply to the whole condition.
                    node(
                            new YqlExpression.Comparison(operand, at, operator, right),
                            around.with(annotations));
            case YqlExpression.Comparison comparison -> comparison(comparison, around);
            case YqlExpression.Value _, YqlExpression.Name _, YqlExpression.Access _ ->
                    throw operands.error(
                            expression.offset(),
                            "expected a condition, got " + operands.shown(expression));
        };
    }

    /** Combines conditions. Negated conditions become the exclusions of the node. */
    private QueryNode and(List<YqlExpression> children, Annotations around) {
        var include = new ArrayList<QueryNode>();
        var exclude = new ArrayList<QueryNode>();
        boolean isEmpty = true;
        for (YqlExpression child : children) {
            if (child instanceof YqlExpression.Not(_, var operand)) {
                QueryNode node = node(operand, around);
                if (!isEmptyInput(operand, node)) {
                    exclude.add(node);
                }
                isEmpty = false;
            } else {
                QueryNode node = node(child, around);
                if (!isEmptyInput(child, node)) {
                    addConditions(node, include, exclude);
                    isEmpty = false;
                }
            }
        }
        if (isEmpty) {
            return new QueryNode.None();
        }
        include.removeIf(QueryNode.All.class::isInstance);
        QueryNode positive =
                switch (include.size()) {
                    case 0 -> new QueryNode.All();
                    case 1 -> include.getFirst();
                    default -> new QueryNode.And(include);
                };
        return exclude.isEmpty() ? positive : new QueryNode.Without(positive, exclude);
    }

    /** Returns whether a condition is that of words which a user did not type. */
    private static boolean isEmptyInput(YqlExpression expression, QueryNode node) {
        return node instanceof QueryNode.None
                && switch (expression) {
                    case YqlExpression.Call call -> call.function().equals("userInput");
                    case YqlExpression.Annotated(_, _, var operand) -> isEmptyInput(operand, node);
                    case YqlExpression.And(_, var inner) -> isEmptyInput(inner, node);
                    case YqlExpression.Or(_, var inner) -> isEmptyInput(inner, node);
                    default -> false;
                };
    }

    private static boolean isEmptyInput(List<YqlExpression> expressions, QueryNode node) {
        return expressions.stream().allMatch(each -> isEmptyInput(each, node));
    }

    /**
     * Adds the conditions of an inner AND to the outer one. A nearest neighbor search then sees all
     * of them, wherever the parentheses are.
     */
    private static void addConditions(
            QueryNode node, List<QueryNode> include, List<QueryNode> exclude) {
        switch (node) {
            case QueryNode.And(var inner) -> include.addAll(inner);
            case QueryNode.Without(var inner, var out) -> {
                exclude.addAll(out);
                if (!(inner instanceof QueryNode.All)) {
                    addConditions(inner, include, exclude);
                }
            }
            default -> include.add(node);
        }
    }

    private QueryNode or(List<YqlExpression> children, Annotations around) {
        var alternatives = new ArrayList<QueryNode>();
        for (YqlExpression child : children) {
            QueryNode node = node(child, around);
            if (node instanceof QueryNode.Or(var inner)) {
                alternatives.addAll(inner);
            } else if (!isEmptyInput(child, node)) {
                alternatives.add(node);
            }
        }
        return alternatives.isEmpty() ? new QueryNode.None() : new QueryNode.Or(alternatives);
    }

    private QueryNode call(YqlExpression.Call call, Annotations around) {
        return switch (call.function()) {
            case "range" -> comparisons.range(call, around);
            case "nearestNeighbor" -> nearestNeighbor(call, around);
            case "userInput" -> userInput.userInput(call, around);
            case "userQuery" -> userInput.userQuery(call);
            case "rank" -> rank(call, around);
            case "weakAnd" -> new QueryNode.WeakAnd(nodes(call, 1, around));
            case "nonEmpty" -> nonEmpty(call, around);
            case "weightedSet" -> weighted(call, QueryNode.AnyOf.Kind.WEIGHTED_SET, around);
            case "dotProduct", "wand" -> weighted(call, QueryNode.AnyOf.Kind.DOT_PRODUCT, around);
            case "geoLocation" -> {
                operands.expectArguments(call, 4);
                yield operators.circle(operands.field(call.arguments().getFirst()), call, around);
            }
            case "geoBoundingBox" -> {
                operands.expectArguments(call, 5);
                yield operators.box(operands.field(call.arguments().getFirst()), call, around);
            }
            case "labeled" -> labeled(call, around);
            case "predicate" -> {
                operands.expectArguments(call, 3);
                yield operators.predicate(
                        operands.field(call.arguments().getFirst()), call, around);
            }
            default -> throw operands.unknownFunction(call, FUNCTIONS);
        };
    }

    private QueryNode weighted(
            YqlExpression.Call call, QueryNode.AnyOf.Kind kind, Annotations around) {
        operands.expectArguments(call, 2);
        return operators.weighted(operands.field(call.arguments().getFirst()), kind, call, around);
    }

    /** Ignores the label and the score, because no feature reads those of a part of the tree. */
    private QueryNode labeled(YqlExpression.Call call, Annotations around) {
        if (call.arguments().size() < 2 || call.arguments().size() > 3) {
            throw operands.error(
                    call.offset(),
                    "labeled(): Expected 2 or 3 arguments, got %d."
                            .formatted(call.arguments().size()));
        }
        operands.text(call.arguments().get(1), "labeled()");
        return node(call.arguments().getFirst(), around);
    }

    private QueryNode nearestNeighbor(YqlExpression.Call call, Annotations around) {
        operands.expectArguments(call, 2);
        String field = operands.field(call.arguments().getFirst());
        String input = operands.field(call.arguments().get(1));
        Optional<YqlExpression.Entry> each =
                around.find(StandardAnnotation.TARGET_HITS)
                        .or(() -> around.find(StandardAnnotation.TARGET_NUM_HITS));
        Optional<YqlExpression.Entry> total = around.find(StandardAnnotation.TOTAL_TARGET_HITS);
        if (each.isPresent() == total.isPresent()) {
            throw operands.badValue(
                    call.offset(),
                    each.isPresent()
                            ? "expected one of targetHits and totalTargetHits, got both"
                            : "expected {targetHits: a number} before nearestNeighbor()");
        }
        YqlExpression.Entry target = each.or(() -> total).orElseThrow();
        int targetHits = operands.whole(target.value(), "annotation '" + target.key() + "'");
        if (targetHits < 1) {
            throw operands.badValue(
                    target.offset(),
                    "expected at least 1 for annotation '" + target.key() + "', got " + targetHits);
        }
        checkLeastHits(around, total.isPresent() ? targetHits : Integer.MAX_VALUE);
        return new QueryNode.NearestNeighbor(
                field,
                input,
                targetHits,
                around.real(StandardAnnotation.DISTANCE_THRESHOLD),
                exploration(around),
                around.unaffixed());
    }

    private QueryNode.Exploration exploration(Annotations around) {
        return new QueryNode.Exploration(
                around.truth(StandardAnnotation.APPROXIMATE, true),
                Math.max(0, around.whole(StandardAnnotation.EXPLORE_ADDITIONAL_HITS, 0)));
    }

    /** Checks the smallest number of neighbors. It has no effect: one node finds all. */
    private void checkLeastHits(Annotations around, int most) {
        Optional<YqlExpression.Entry> least = around.find(StandardAnnotation.MIN_TARGET_HITS);
        int hits = around.whole(StandardAnnotation.MIN_TARGET_HITS, 1);
        if (hits < 1 || hits > most) {
            throw operands.badValue(
                    least.orElseThrow().offset(),
                    "expected 1 to %s for annotation 'minTargetHits', got %d"
                            .formatted(most == Integer.MAX_VALUE ? "any number" : most, hits));
        }
    }

    private QueryNode rank(YqlExpression.Call call, Annotations around) {
        List<QueryNode> nodes = nodes(call, 1, around);
        return nodes.size() == 1
                ? nodes.getFirst()
                : new QueryNode.Rank(nodes.getFirst(), nodes.subList(1, nodes.size()));
    }

    private QueryNode nonEmpty(YqlExpression.Call call, Annotations around) {
        QueryNode inner = nodes(call, 1, around).getFirst();
        operands.expectArguments(call, 1);
        boolean empty =
                switch (inner) {
                    case QueryNode.None _ -> true;
                    case QueryNode.Term(_, var text, _) -> text.isBlank();
                    case QueryNode.Phrase(_, var words, _) -> words.isEmpty();
                    case QueryNode.AnyOf any -> any.keys().isEmpty();
                    default -> false;
                };
        if (empty) {
            throw operands.badValue(call.offset(), "nonEmpty() got an empty condition");
        }
        return inner;
    }

    private List<QueryNode> nodes(YqlExpression.Call call, int least, Annotations around) {
        if (call.arguments().size() < least) {
            throw operands.error(
                    call.offset(),
                    "%s(): Expected %d or more arguments, got %d."
                            .formatted(call.function(), least, call.arguments().size()));
        }
        var nodes = new ArrayList<QueryNode>();
        for (YqlExpression argument : call.arguments()) {
            QueryNode node = node(argument, around);
            if (!isEmptyInput(argument, node)) {
                nodes.add(node);
            }
        }
        return nodes.isEmpty() ? List.of(new QueryNode.None()) : nodes;
    }

    private QueryNode comparison(YqlExpression.Comparison comparison, Annotations around) {
        return switch (comparison.operator()) {
            case EQUAL, LESS, GREATER, LESS_OR_EQUAL, GREATER_OR_EQUAL ->
                    comparisons.compared(comparison, around);
            case CONTAINS -> contains.contains(comparison, around);
            case IN -> comparisons.in(comparison, around);
            case MATCHES -> comparisons.matches(comparison, around);
            case NOT_EQUAL, LIKE, NOT_MATCHES, NOT_LIKE, NOT_IN, IS_NULL, IS_NOT_NULL ->
                    throw operands.error(
                            comparison.operatorOffset(),
                            "expected AND, OR, EQ, LT, GT, LTEQ, GTEQ, CONTAINS, MATCHES, CALL,"
                                    + " LITERAL, NOT or IN, got '"
                                    + comparison.operator().written()
                                    + "'");
        };
    }
}
