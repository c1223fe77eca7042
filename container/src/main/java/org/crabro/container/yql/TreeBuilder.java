package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;

/** Turns the expression behind {@code where} into the tree that says which documents match. */
final class TreeBuilder {
    private static final Set<String> FUNCTIONS_NOT_BUILT =
            Set.of(
                    "weightedSet",
                    "dotProduct",
                    "wand",
                    "geoLocation",
                    "geoBoundingBox",
                    "predicate",
                    "labeled");

    private static final Set<String> FUNCTIONS =
            Set.of(
                    "nearestNeighbor",
                    "nonEmpty",
                    "range",
                    "rank",
                    "userInput",
                    "userQuery",
                    "weakAnd");

    private static final Set<String> CONTAINS_NOT_BUILT =
            Set.of("near", "onear", "equiv", "alternatives", "uri", "fuzzy", "sameElement");

    private static final Set<String> CONTAINS = Set.of("phrase", "text");

    private final Operands operands;
    private final QueryContext context;

    TreeBuilder(String statement, QueryContext context) {
        this.operands = new Operands(statement, context);
        this.context = context;
    }

    QueryNode tree(Expression expression) {
        return node(expression, Annotations.none(operands));
    }

    private QueryNode node(Expression expression, Annotations around) {
        return switch (expression) {
            case Expression.And(_, var children) -> and(children, around);
            case Expression.Or(_, var children) -> or(children, around);
            case Expression.Not(_, var operand) ->
                    new QueryNode.Without(new QueryNode.All(), List.of(node(operand, around)));
            case Expression.Annotated(_, var annotations, var operand) ->
                    node(operand, around.with(annotations));
            case Expression.Truth(_, var value) ->
                    value ? new QueryNode.All() : new QueryNode.None();
            case Expression.Call call -> call(call, around);
            case Expression.Comparison comparison -> comparison(comparison, around);
            case Expression.Text _,
                    Expression.Whole _,
                    Expression.Real _,
                    Expression.Nothing _,
                    Expression.Parameter _,
                    Expression.Name _,
                    Expression.Access _,
                    Expression.ListOf _,
                    Expression.MapOf _ ->
                    throw operands.error(
                            expression.offset(),
                            "expected a condition but found " + operands.shown(expression));
        };
    }

    /** What is negated narrows the rest, so it goes where the enclosing node excludes. */
    private QueryNode and(List<Expression> children, Annotations around) {
        var include = new ArrayList<QueryNode>();
        var exclude = new ArrayList<QueryNode>();
        for (Expression child : children) {
            if (child instanceof Expression.Not(_, var operand)) {
                exclude.add(node(operand, around));
            } else {
                addConditions(node(child, around), include, exclude);
            }
        }
        include.removeIf(QueryNode.All.class::isInstance);
        QueryNode kept =
                switch (include.size()) {
                    case 0 -> new QueryNode.All();
                    case 1 -> include.getFirst();
                    default -> new QueryNode.And(include);
                };
        return exclude.isEmpty() ? kept : new QueryNode.Without(kept, exclude);
    }

    /**
     * Takes an inner and apart: all its conditions belong to the outer one, so that a nearest
     * neighbor is looked for among what passes every one of them, wherever parentheses are.
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
            case QueryNode.All _,
                    QueryNode.None _,
                    QueryNode.Or _,
                    QueryNode.WeakAnd _,
                    QueryNode.Rank _,
                    QueryNode.Term _,
                    QueryNode.Phrase _,
                    QueryNode.Range _,
                    QueryNode.BooleanEquals _,
                    QueryNode.NearestNeighbor _ ->
                    include.add(node);
        }
    }

    private QueryNode or(List<Expression> children, Annotations around) {
        var alternatives = new ArrayList<QueryNode>();
        for (Expression child : children) {
            QueryNode node = node(child, around);
            if (node instanceof QueryNode.Or(var inner)) {
                alternatives.addAll(inner);
            } else {
                alternatives.add(node);
            }
        }
        return new QueryNode.Or(alternatives);
    }

    private QueryNode call(Expression.Call call, Annotations around) {
        return switch (call.function()) {
            case "range" -> range(call, around);
            case "nearestNeighbor" -> nearestNeighbor(call, around);
            case "userInput" -> userInput(call, around);
            case "userQuery" -> userQuery(call);
            case "rank" -> rank(call, around);
            case "weakAnd" -> new QueryNode.WeakAnd(nodes(call, 1, around));
            case "nonEmpty" -> nonEmpty(call, around);
            default -> throw unknownFunction(call, FUNCTIONS, FUNCTIONS_NOT_BUILT);
        };
    }

    private QueryNode range(Expression.Call call, Annotations around) {
        expectArguments(call, 3);
        String field = field(call.arguments().getFirst());
        String bounds = around.text("bounds", "closed");
        boolean openLeft = bounds.equals("open") || bounds.equals("leftOpen");
        boolean openRight = bounds.equals("open") || bounds.equals("rightOpen");
        if (!openLeft && !openRight && !bounds.equals("closed")) {
            throw operands.error(
                    around.find("bounds").orElseThrow().offset(),
                    "expected open, leftOpen or rightOpen for annotation 'bounds' but found \""
                            + bounds
                            + '"');
        }
        RangeEnd low = operands.number(call.arguments().get(1), "range()");
        RangeEnd high = operands.number(call.arguments().get(2), "range()");
        return new QueryNode.Range(
                field, end(low, !openLeft), end(high, !openRight), around.termSettings());
    }

    private static RangeEnd end(RangeEnd number, boolean included) {
        return switch (number) {
            case RangeEnd.Unbounded unbounded -> unbounded;
            case RangeEnd.Whole(var value, _) -> new RangeEnd.Whole(value, included);
            case RangeEnd.Real(var value, _) -> new RangeEnd.Real(value, included);
        };
    }

    private QueryNode nearestNeighbor(Expression.Call call, Annotations around) {
        expectArguments(call, 2);
        String field = field(call.arguments().getFirst());
        String input = field(call.arguments().get(1));
        Optional<Expression.Entry> each =
                around.find("targetHits").or(() -> around.find("targetNumHits"));
        Optional<Expression.Entry> total = around.find("totalTargetHits");
        if (each.isPresent() == total.isPresent()) {
            throw operands.badValue(
                    call.offset(),
                    each.isPresent()
                            ? "expected one of targetHits and totalTargetHits but found both"
                            : "expected {targetHits: a number} before nearestNeighbor()");
        }
        Expression.Entry target = each.or(() -> total).orElseThrow();
        int targetHits = operands.whole(target.value(), "annotation '" + target.key() + "'");
        if (targetHits < 1) {
            throw operands.badValue(
                    target.offset(),
                    "expected at least 1 for annotation '"
                            + target.key()
                            + "' but found "
                            + targetHits);
        }
        around.truth("approximate", true);
        return new QueryNode.NearestNeighbor(
                field,
                input,
                targetHits,
                around.real("distanceThreshold"),
                around.text("label", ""));
    }

    private QueryNode userInput(Expression.Call call, Annotations around) {
        expectArguments(call, 1);
        String text = operands.text(call.arguments().getFirst(), "userInput()");
        if (text.startsWith("@") && call.arguments().getFirst() instanceof Expression.Text at) {
            text = operands.parameter(new Expression.Parameter(at.offset(), text.substring(1)));
        }
        String defaultIndex = around.text("defaultIndex", "default");
        return words(text, defaultIndex, call.offset(), around, "weakAnd")
                .orElseGet(() -> {
                    if (around.truth("allowEmpty", false)) {
                        return new QueryNode.None();
                    }
                    throw operands.error(
                            call.offset(),
                            "userInput() got no words; {allowEmpty: true} lets it match"
                                    + " nothing");
                });
    }

    /** Parses what a user wrote, as the grammar annotations say. */
    private Optional<QueryNode> words(
            String text, String index, int offset, Annotations around, String otherwise) {
        context.count(text.length());
        String name = around.text("grammar", otherwise);
        if (name.equals("raw")) {
            return text.isBlank()
                    ? Optional.empty()
                    : Optional.of(new QueryNode.Term(index, text, around.termSettings()));
        }
        Grammar grammar =
                Grammar.of(name)
                        .flatMap(named ->
                                named.with(
                                        around.text("grammar.composite", ""),
                                        around.text("grammar.syntax", "")))
                        .orElseThrow(() ->
                                operands.error(
                                        around.find("grammar")
                                                .map(Expression.Entry::offset)
                                                .orElse(offset),
                                        "expected one of "
                                                + Grammar.NAMES
                                                + " for annotation 'grammar' but found \""
                                                + name
                                                + '"'));
        return SimpleQueryParser.parse(text, grammar, index, context, around.termSettings());
    }

    private QueryNode userQuery(Expression.Call call) {
        expectArguments(call, 0);
        return context.userQuery()
                .orElseThrow(() ->
                        operands.error(
                                call.offset(),
                                "userQuery() needs words in the request parameter" + " 'query'"));
    }

    private QueryNode rank(Expression.Call call, Annotations around) {
        List<QueryNode> nodes = nodes(call, 1, around);
        return nodes.size() == 1
                ? nodes.getFirst()
                : new QueryNode.Rank(nodes.getFirst(), nodes.subList(1, nodes.size()));
    }

    private QueryNode nonEmpty(Expression.Call call, Annotations around) {
        QueryNode inner = nodes(call, 1, around).getFirst();
        expectArguments(call, 1);
        boolean empty =
                switch (inner) {
                    case QueryNode.None _ -> true;
                    case QueryNode.Term(_, var text, _) -> text.isBlank();
                    case QueryNode.Phrase(_, var words, _) -> words.isEmpty();
                    case QueryNode.All _,
                            QueryNode.And _,
                            QueryNode.Or _,
                            QueryNode.WeakAnd _,
                            QueryNode.Without _,
                            QueryNode.Rank _,
                            QueryNode.Range _,
                            QueryNode.BooleanEquals _,
                            QueryNode.NearestNeighbor _ ->
                            false;
                };
        if (empty) {
            throw operands.badValue(call.offset(), "nonEmpty() got an empty condition");
        }
        return inner;
    }

    private List<QueryNode> nodes(Expression.Call call, int least, Annotations around) {
        if (call.arguments().size() < least) {
            throw operands.error(
                    call.offset(),
                    "%s() expects %d or more arguments but got %d"
                            .formatted(call.function(), least, call.arguments().size()));
        }
        return call.arguments().stream().map(argument -> node(argument, around)).toList();
    }

    private QueryNode comparison(Expression.Comparison comparison, Annotations around) {
        return switch (comparison.operator()) {
            case EQUAL, LESS, GREATER, LESS_OR_EQUAL, GREATER_OR_EQUAL ->
                    compared(comparison, around);
            case CONTAINS -> contains(comparison, around);
            case IN -> in(comparison, around);
            case MATCHES -> throw operands.notBuilt(comparison.operatorOffset(), "'matches'");
            case NOT_EQUAL, LIKE, NOT_MATCHES, NOT_LIKE, NOT_IN, IS_NULL, IS_NOT_NULL ->
                    throw operands.error(
                            comparison.operatorOffset(),
                            "expected and, or, !, =, <, >, <=, >=, contains, in, true, false or"
                                    + " a function but found '"
                                    + comparison.operator().written()
                                    + "'");
        };
    }

    private QueryNode compared(Expression.Comparison comparison, Annotations around) {
        boolean fieldFirst = isField(comparison.left());
        Expression named = fieldFirst ? comparison.left() : comparison.right();
        Expression value = fieldFirst ? comparison.right() : comparison.left();
        Expression.Operator operator =
                fieldFirst ? comparison.operator() : comparison.operator().flipped();
        String field = field(named);
        Annotations inner = around;
        while (value instanceof Expression.Annotated(_, var annotations, var operand)) {
            inner = inner.with(annotations);
            value = operand;
        }
        TermSettings settings = inner.termSettings();
        if (operator == Expression.Operator.EQUAL) {
            Optional<Boolean> truth = truth(value);
            if (truth.isPresent()) {
                return new QueryNode.BooleanEquals(field, truth.get(), settings);
            }
            if (value instanceof Expression.Text) {
                throw operands.error(
                        value.offset(), "'=' compares numbers and booleans; for text use contains");
            }
        }
        RangeEnd number = operands.number(value, "'" + comparison.operator().written() + "'");
        return between(field, operator, number, settings);
    }

    private static QueryNode between(
            String field, Expression.Operator operator, RangeEnd number, TermSettings settings) {
        RangeEnd open = new RangeEnd.Unbounded();
        return switch (operator) {
            case LESS -> new QueryNode.Range(field, open, end(number, false), settings);
            case LESS_OR_EQUAL -> new QueryNode.Range(field, open, number, settings);
            case GREATER -> new QueryNode.Range(field, end(number, false), open, settings);
            case GREATER_OR_EQUAL -> new QueryNode.Range(field, number, open, settings);
            case EQUAL -> new QueryNode.Range(field, number, number, settings);
            case NOT_EQUAL,
                    CONTAINS,
                    MATCHES,
                    LIKE,
                    IN,
                    NOT_MATCHES,
                    NOT_LIKE,
                    NOT_IN,
                    IS_NULL,
                    IS_NOT_NULL ->
                    throw new IllegalArgumentException("no comparison: " + operator);
        };
    }

    private Optional<Boolean> truth(Expression value) {
        if (value instanceof Expression.Truth(_, var truth)) {
            return Optional.of(truth);
        }
        return value instanceof Expression.Parameter parameter
                ? Operands.truth(operands.parameter(parameter))
                : Optional.empty();
    }

    private static boolean isField(Expression expression) {
        return expression instanceof Expression.Access
                || (expression instanceof Expression.Name(_, var path)
                        && !path.equalsIgnoreCase("infinity"));
    }

    private QueryNode contains(Expression.Comparison comparison, Annotations around) {
        return containing(field(comparison.left()), comparison.right(), around);
    }

    private QueryNode containing(String field, Expression value, Annotations around) {
        if (value instanceof Expression.Annotated(_, var annotations, var operand)) {
            return containing(field, operand, around.with(annotations));
        }
        if (value instanceof Expression.Call call) {
            return switch (call.function()) {
                case "phrase" -> phrase(field, call, around);
                case "text" -> text(field, call, around);
                default -> throw unknownFunction(call, CONTAINS, CONTAINS_NOT_BUILT);
            };
        }
        return term(field, operands.text(value, "contains"), around.termSettings());
    }

    private QueryNode phrase(String field, Expression.Call call, Annotations around) {
        var words = new ArrayList<String>();
        addWords(call, words);
        TermSettings settings = around.termSettings();
        return words.size() == 1
                ? new QueryNode.Term(field, words.getFirst(), settings)
                : new QueryNode.Phrase(field, words, settings);
    }

    /** Phrases in a phrase are only more words. */
    private void addWords(Expression.Call call, List<String> words) {
        if (call.arguments().isEmpty()) {
            throw operands.error(call.offset(), "phrase() expects 1 or more arguments but got 0");
        }
        for (Expression argument : call.arguments()) {
            if (argument instanceof Expression.Call inner && inner.function().equals("phrase")) {
                addWords(inner, words);
            } else if (argument instanceof Expression.Annotated annotated) {
                throw operands.notBuilt(annotated.offset(), "an annotated word in phrase()");
            } else {
                String word = operands.text(argument, "phrase()");
                context.count(word.length());
                words.add(word);
            }
        }
    }

    private QueryNode text(String field, Expression.Call call, Annotations around) {
        expectArguments(call, 1);
        String text = operands.text(call.arguments().getFirst(), "text()");
        return words(text, field, call.offset(), around, "linguistics")
                .orElseGet(QueryNode.None::new);
    }

    /** The values are alternatives that leave no trace in features. */
    private QueryNode in(Expression.Comparison comparison, Annotations around) {
        String field = field(comparison.left());
        TermSettings settings =
                new TermSettings(around.termSettings().weight(), false, TermSettings.Affix.FIELD);
        var alternatives = new ArrayList<QueryNode>();
        if (!(comparison.right() instanceof Expression.ListOf(_, var elements))) {
            throw operands.expected("a list", "in", comparison.right());
        }
        for (Expression element : elements) {
            if (element instanceof Expression.Text(_, var value)) {
                alternatives.add(term(field, value, settings));
            } else if (element instanceof Expression.Whole(_, var value)) {
                alternatives.add(equal(field, value, settings));
            } else if (element instanceof Expression.Parameter parameter) {
                String list = operands.parameter(parameter);
                context.count(list.length());
                for (String value : ListText.values(list)) {
                    alternatives.add(term(field, value, settings));
                }
            } else {
                throw operands.expected("whole numbers or strings", "in", element);
            }
        }
        return switch (alternatives.size()) {
            case 0 -> new QueryNode.None();
            case 1 -> alternatives.getFirst();
            default -> new QueryNode.Or(alternatives);
        };
    }

    private QueryNode term(String field, String text, TermSettings settings) {
        context.count(text.length());
        return new QueryNode.Term(field, text, settings);
    }

    private static QueryNode equal(String field, long value, TermSettings settings) {
        RangeEnd end = new RangeEnd.Whole(value, true);
        return new QueryNode.Range(field, end, end, settings);
    }

    private String field(Expression expression) {
        if (expression instanceof Expression.Name(_, var path)) {
            return path;
        }
        if (expression instanceof Expression.Access access) {
            throw operands.notBuilt(
                    access.accessor(), "an element of a field by " + access.bracket());
        }
        throw operands.error(
                expression.offset(), "expected a field but found " + operands.shown(expression));
    }

    private void expectArguments(Expression.Call call, int count) {
        if (call.arguments().size() != count) {
            throw operands.error(
                    call.offset(),
                    "%s() expects %d argument%s but got %d"
                            .formatted(
                                    call.function(),
                                    count,
                                    count == 1 ? "" : "s",
                                    call.arguments().size()));
        }
    }

    private YqlSyntaxException unknownFunction(
            Expression.Call call, Set<String> known, Set<String> notBuilt) {
        if (notBuilt.contains(call.function())) {
            return operands.notBuilt(call.offset(), call.function() + "()");
        }
        return operands.error(
                call.offset(),
                "expected one of the functions "
                        + String.join(", ", new TreeSet<>(known))
                        + " but found '"
                        + call.function()
                        + "'");
    }
}
