package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.crabro.protocol.query.QueryNode;

/**
 * Reads conditions in JSON, each an object with one operator: {@code {"and": [{"contains":
 * ["title", "blue"]}, {"range": ["year", {">=": 2000}]}]}}. They become the expressions of YQL, so
 * that both languages mean the same.
 */
public final class SelectJson {
    /** What {@code contains} takes instead of a word, and so does {@code sameElement} alone. */
    private static final Set<String> WORD_OPERATORS =
            Set.of(
                    "alternatives",
                    "equiv",
                    "fuzzy",
                    "near",
                    "onear",
                    "phrase",
                    "regex",
                    "text",
                    "uri");

    private final JsonExpressions expressions;

    private SelectJson(JsonExpressions expressions) {
        this.expressions = expressions;
    }

    /**
     * Returns the conditions in {@code text}.
     *
     * @throws YqlSyntaxException at the first wrong place
     */
    public static QueryNode where(String text, QueryContext context) {
        String what = "query from select.where: select";
        var expressions = new JsonExpressions(what, text);
        YqlExpression condition = new SelectJson(expressions).condition(expressions.parsed());
        return new TreeBuilder(what, text, context).tree(condition);
    }

    /**
     * Returns the names in an array of names.
     *
     * @throws YqlSyntaxException if the text is no array of names
     */
    public static List<String> fields(String text) {
        var expressions = new JsonExpressions("query from select.fields: select", text);
        YqlExpression value = expressions.parsed();
        if (!(value instanceof YqlExpression.ListOf(_, var elements))) {
            throw expressions.error(value, "expected an array of names");
        }
        return elements.stream().map(element -> expressions.text(element, "a name")).toList();
    }

    private YqlExpression condition(YqlExpression json) {
        if (json instanceof YqlExpression.Truth) {
            return json;
        }
        YqlExpression.Entry operator = operator(json);
        return annotated(
                operator.value(),
                operands -> operation(operator.key(), operands, operator, this::condition));
    }

    /** Reads a condition that is an operand of another. */
    private interface Inner {
        YqlExpression condition(YqlExpression json);
    }

    private YqlExpression.Entry operator(YqlExpression json) {
        if (json instanceof YqlExpression.MapOf(_, var entries) && entries.size() == 1) {
            return entries.getFirst();
        }
        throw expressions.error(json, "expected an object with one operator, true or false");
    }

    /** Creates an expression from operands. */
    private interface Made {
        YqlExpression of(YqlExpression operands);
    }

    /** Operands are the value itself, or the children of an object with annotations. */
    private YqlExpression annotated(YqlExpression value, Made made) {
        if (!(value instanceof YqlExpression.MapOf map)) {
            return made.of(value);
        }
        Optional<YqlExpression> children = find(map, "children");
        Optional<YqlExpression> attributes = find(map, "attributes");
        if (children.isEmpty()) {
            return made.of(value);
        }
        YqlExpression inner = made.of(children.get());
        if (attributes.isEmpty()) {
            return inner;
        }
        if (attributes.get() instanceof YqlExpression.MapOf annotations) {
            return new YqlExpression.Annotated(value.offset(), annotations, inner);
        }
        throw expressions.error(attributes.get(), "expected an object of annotations");
    }

    private static Optional<YqlExpression> find(YqlExpression.MapOf map, String key) {
        return map.entries().stream()
                .filter(entry -> entry.key().equals(key))
                .map(YqlExpression.Entry::value)
                .findFirst();
    }

    private YqlExpression operation(
            String operator, YqlExpression operands, YqlExpression.Entry at, Inner inner) {
        return switch (operator) {
            case "and" -> new YqlExpression.And(at.offset(), conditions(operands, inner));
            case "or" -> new YqlExpression.Or(at.offset(), conditions(operands, inner));
            case "not" ->
                    new YqlExpression.Not(
                            at.offset(),
                            new YqlExpression.Or(at.offset(), conditions(operands, inner)));
            case "and_not" -> {
                var all = new ArrayList<>(conditions(operands, inner));
                for (int i = 1; i < all.size(); i++) {
                    all.set(i, new YqlExpression.Not(all.get(i).offset(), all.get(i)));
                }
                yield new YqlExpression.And(at.offset(), all);
            }
            case "rank", "weakAnd" ->
                    new YqlExpression.Call(at.offset(), operator, conditions(operands, inner));
            case "contains" -> {
                List<YqlExpression> both = operands(operands, 2, at);
                yield comparison(both, YqlExpression.Operator.CONTAINS, contained(both.get(1)), at);
            }
            case "matches" -> {
                List<YqlExpression> both = operands(operands, 2, at);
                yield comparison(both, YqlExpression.Operator.MATCHES, both.get(1), at);
            }
            case "in" -> {
                List<YqlExpression> all = list(operands);
                if (all.size() < 2) {
                    throw expressions.error(operands, "expected a field and at least one value");
                }
                yield comparison(
                        all,
                        YqlExpression.Operator.IN,
                        new YqlExpression.ListOf(at.offset(), all.subList(1, all.size())),
                        at);
            }
            case "equals" -> equal(operands, at);
            case "range" -> range(operands(operands, 2, at), at);
            case "weightedSet", "dotProduct", "wand", "nearestNeighbor" -> {
                List<YqlExpression> both = operands(operands, 2, at);
                YqlExpression second =
                        operator.equals("nearestNeighbor") ? name(both.get(1)) : both.get(1);
                yield new YqlExpression.Call(
                        at.offset(), operator, List.of(name(both.getFirst()), second));
            }
            case "geoLocation", "geoBoundingBox", "predicate" -> {
                var all = new ArrayList<>(list(operands));
                if (!all.isEmpty()) {
                    all.set(0, name(all.getFirst()));
                }
                yield new YqlExpression.Call(at.offset(), operator, all);
            }
            case "userInput" ->
                    new YqlExpression.Call(
                            at.offset(),
                            operator,
                            operands instanceof YqlExpression.ListOf(_, var all)
                                    ? all
                                    : List.of(operands));
            default ->
                    throw expressions.error(
                            new YqlExpression.Nothing(at.offset()),
                            "there is no operator '" + operator + "'");
        };
    }

    private YqlExpression equal(YqlExpression operands, YqlExpression.Entry at) {
        YqlExpression field;
        YqlExpression value;
        if (operands instanceof YqlExpression.MapOf map) {
            field =
                    name(
                            find(map, "field")
                                    .orElseThrow(
                                            () -> expressions.error(map, "expected a 'field'")));
            value =
                    find(map, "value")
                            .orElseThrow(() -> expressions.error(map, "expected a 'value'"));
            Optional<YqlExpression> index = find(map, "index");
            if (index.isPresent()) {
                field =
                        new YqlExpression.Access(
                                field.offset(), field, field.offset(), '[', index.get(), "");
            }
        } else {
            List<YqlExpression> both = operands(operands, 2, at);
            field = name(both.getFirst());
            value = both.get(1);
        }
        return new YqlExpression.Comparison(
                field, at.offset(), YqlExpression.Operator.EQUAL, value);
    }

    private YqlExpression range(List<YqlExpression> both, YqlExpression.Entry at) {
        if (!(both.get(1) instanceof YqlExpression.MapOf(_, var ends))) {
            throw expressions.error(both.get(1), "expected an object with >, >=, <, <= or =");
        }
        YqlExpression low = new YqlExpression.Real(at.offset(), Double.NEGATIVE_INFINITY);
        YqlExpression high = new YqlExpression.Real(at.offset(), Double.POSITIVE_INFINITY);
        boolean openLow = false;
        boolean openHigh = false;
        for (YqlExpression.Entry end : ends) {
            switch (end.key()) {
                case ">", ">=" -> {
                    low = end.value();
                    openLow = end.key().equals(">");
                }
                case "<", "<=" -> {
                    high = end.value();
                    openHigh = end.key().equals("<");
                }
                case "=" -> {
                    low = end.value();
                    high = end.value();
                }
                default ->
                        throw expressions.error(end.value(), "expected >, >=, <, <= or = as a key");
            }
        }
        String bounds =
                openLow ? openHigh ? "open" : "leftOpen" : openHigh ? "rightOpen" : "closed";
        var annotation =
                new YqlExpression.Entry(
                        at.offset(), "bounds", new YqlExpression.Text(at.offset(), bounds));
        return new YqlExpression.Annotated(
                at.offset(),
                new YqlExpression.MapOf(at.offset(), List.of(annotation)),
                new YqlExpression.Call(
                        at.offset(), "range", List.of(name(both.getFirst()), low, high)));
    }

    private YqlExpression comparison(
            List<YqlExpression> operands,
            YqlExpression.Operator operator,
            YqlExpression right,
            YqlExpression.Entry at) {
        return new YqlExpression.Comparison(
                name(operands.getFirst()), at.offset(), operator, right);
    }

    /** Reads the second operand of {@code contains}. */
    private YqlExpression contained(YqlExpression json) {
        if (!(json instanceof YqlExpression.MapOf)) {
            return json;
        }
        YqlExpression.Entry operator = operator(json);
        if (operator.key().equals("text")
                && operator.value() instanceof YqlExpression.MapOf map
                && find(map, "query").isPresent()) {
            YqlExpression call = call(operator, List.of(find(map, "query").orElseThrow()));
            return find(map, "attributes").orElse(null) instanceof YqlExpression.MapOf annotations
                    ? new YqlExpression.Annotated(json.offset(), annotations, call)
                    : call;
        }
        return annotated(
                operator.value(),
                operands ->
                        switch (operator.key()) {
                            case "text", "uri", "alternatives" ->
                                    call(
                                            operator,
                                            operands instanceof YqlExpression.ListOf(_, var all)
                                                    ? all
                                                    : List.of(operands));
                            case "sameElement" ->
                                    call(
                                            operator,
                                            (operands instanceof YqlExpression.MapOf
                                                            ? List.of(operands)
                                                            : list(operands))
                                                    .stream()
                                                            .flatMap(this::membersOf)
                                                            .map(this::inElement)
                                                            .toList());
                            case "fuzzy" ->
                                    call(
                                            operator,
                                            operands instanceof YqlExpression.ListOf(_, var all)
                                                    ? all
                                                    : List.of(operands));
                            default ->
                                    call(
                                            operator,
                                            list(operands).stream()
                                                    .flatMap(this::containedOrNot)
                                                    .toList());
                        });
    }

    /** Reads an operand of near and its like, or those that {@code {"not": [...]}} excludes. */
    private Stream<YqlExpression> containedOrNot(YqlExpression json) {
        return json instanceof YqlExpression.MapOf(_, var entries)
                        && entries.size() == 1
                        && entries.getFirst().key().equals("not")
                ? list(entries.getFirst().value()).stream()
                        .map(each -> new YqlExpression.Not(json.offset(), contained(each)))
                : Stream.of(contained(json));
    }

    private static YqlExpression call(YqlExpression.Entry operator, List<YqlExpression> arguments) {
        return new YqlExpression.Call(operator.offset(), operator.key(), arguments);
    }

    /** Returns the members of an object as objects of their own; each is a condition. */
    private Stream<YqlExpression> membersOf(YqlExpression json) {
        return json instanceof YqlExpression.MapOf(var offset, var entries)
                ? entries.stream().map(entry -> new YqlExpression.MapOf(offset, List.of(entry)))
                : Stream.of(json);
    }

    /**
     * Reads a condition on an element: a value, {@code {"member": value}}, an operand of contains,
     * or an operator whose operands are conditions on the element.
     */
    private YqlExpression inElement(YqlExpression json) {
        return switch (json) {
            case YqlExpression.Text _,
                    YqlExpression.Whole _,
                    YqlExpression.Real _,
                    YqlExpression.Truth _ ->
                    json;
            case YqlExpression.MapOf(var offset, var entries) when entries.size() > 1 ->
                    new YqlExpression.And(offset, membersOf(json).map(this::inElement).toList());
            default -> inElement(json, operator(json));
        };
    }

    private YqlExpression inElement(YqlExpression json, YqlExpression.Entry entry) {
        return switch (entry.value()) {
            case YqlExpression.Text value ->
                    new YqlExpression.Comparison(
                            new YqlExpression.Name(entry.offset(), entry.key()),
                            entry.offset(),
                            YqlExpression.Operator.CONTAINS,
                            value);
            case YqlExpression.Whole value -> equal(entry, value);
            case YqlExpression.Real value -> equal(entry, value);
            case YqlExpression.Truth value -> equal(entry, value);
            default ->
                    WORD_OPERATORS.contains(entry.key())
                            ? contained(json)
                            : annotated(
                                    entry.value(),
                                    operands ->
                                            operation(
                                                    entry.key(), operands, entry, this::inElement));
        };
    }

    private static YqlExpression equal(YqlExpression.Entry entry, YqlExpression value) {
        return new YqlExpression.Comparison(
                new YqlExpression.Name(entry.offset(), entry.key()),
                entry.offset(),
                YqlExpression.Operator.EQUAL,
                value);
    }

    private List<YqlExpression> conditions(YqlExpression operands, Inner inner) {
        return list(operands).stream().map(inner::condition).toList();
    }

    private List<YqlExpression> list(YqlExpression operands) {
        if (operands instanceof YqlExpression.ListOf(_, var elements)) {
            return elements;
        }
        throw expressions.error(operands, "expected an array of operands");
    }

    private List<YqlExpression> operands(
            YqlExpression operands, int count, YqlExpression.Entry at) {
        List<YqlExpression> all = list(operands);
        if (all.size() != count) {
            throw expressions.error(
                    operands,
                    "'%s': Expected %d arguments, got %d.".formatted(at.key(), count, all.size()));
        }
        return all;
    }

    private YqlExpression name(YqlExpression json) {
        return new YqlExpression.Name(json.offset(), expressions.text(json, "a name"));
    }
}
