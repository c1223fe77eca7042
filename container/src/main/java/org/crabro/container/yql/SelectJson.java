package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.protocol.query.QueryNode;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Reads conditions that are written as JSON, each an object with one operator: {@code {"and":
 * [{"contains": ["title", "blue"]}, {"range": ["year", {">=": 2000}]}]}}. They are made into the
 * expressions that YQL has, so that both mean the same.
 */
public final class SelectJson {
    private static final int MAX_DEPTH = 200;

    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
                    .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
                    .build();

    private final String what;
    private final String text;

    private SelectJson(String what, String text) {
        this.what = what;
        this.text = text;
    }

    /**
     * Returns the conditions in {@code text}.
     *
     * @throws YqlSyntaxException at the first place that cannot be understood
     */
    public static QueryNode where(String text, QueryContext context) {
        var json = new SelectJson("query from select.where: select", text);
        return new TreeBuilder(json.what, text, context).tree(json.condition(json.parsed()));
    }

    /**
     * Returns the names in an array of names.
     *
     * @throws YqlSyntaxException if it is none
     */
    public static List<String> fields(String text) {
        var json = new SelectJson("query from select.fields: select", text);
        YqlExpression value = json.parsed();
        if (!(value instanceof YqlExpression.ListOf(_, var elements))) {
            throw json.error(value, "expected an array of names");
        }
        return elements.stream().map(element -> json.text(element, "a name")).toList();
    }

    /**
     * Returns the groupings in an array as the parameter {@code select} would have them.
     *
     * @throws YqlSyntaxException at the first place that cannot be understood
     */
    public static String grouping(String text) {
        var json = new SelectJson("query from select.grouping: select", text);
        YqlExpression value = json.parsed();
        List<YqlExpression> requests =
                value instanceof YqlExpression.ListOf(_, var elements) ? elements : List.of(value);
        return String.join(
                ";",
                requests.stream()
                        .map(request -> {
                            if (request instanceof YqlExpression.MapOf map
                                    && map.entries().size() == 1
                                    && isOperation(map.entries().getFirst())) {
                                return json.operations(map);
                            }
                            throw json.error(request, "expected an object with 'all' or 'each'");
                        })
                        .toList());
    }

    private static boolean isOperation(YqlExpression.Entry entry) {
        return entry.key().equals("all") || entry.key().equals("each");
    }

    private String operations(YqlExpression.MapOf map) {
        var parts = new ArrayList<String>();
        String label = "";
        for (YqlExpression.Entry entry : map.entries()) {
            if (entry.key().equals("label")) {
                label = " as(" + text(entry.value(), "a label") + ")";
            }
        }
        boolean used = label.isEmpty();
        for (YqlExpression.Entry entry : map.entries()) {
            if (entry.key().equals("label")) {
                continue;
            }
            String part = entry.key() + "(" + inside(entry.value()) + ")";
            if (entry.key().equals("each") && !used) {
                used = true;
                part += label;
            }
            parts.add(part);
        }
        if (!used) {
            throw error(map, "a label belongs next to 'each'");
        }
        return String.join(" ", parts);
    }

    private String inside(YqlExpression value) {
        return switch (value) {
            case YqlExpression.MapOf map -> operations(map);
            case YqlExpression.ListOf(_, var elements) ->
                    String.join(",", elements.stream().map(this::inside).toList());
            case YqlExpression.Text(_, var text) -> text;
            case YqlExpression.Whole(_, var number) -> Long.toString(number);
            case YqlExpression.Real(_, var number) -> Double.toString(number);
            case YqlExpression.Truth(_, var truth) -> Boolean.toString(truth);
            case YqlExpression.Nothing _,
                    YqlExpression.Parameter _,
                    YqlExpression.Name _,
                    YqlExpression.Access _,
                    YqlExpression.Call _,
                    YqlExpression.And _,
                    YqlExpression.Or _,
                    YqlExpression.Not _,
                    YqlExpression.Comparison _,
                    YqlExpression.Annotated _ ->
                    throw error(value, "expected a text, a number, an array or an object");
        };
    }

    /** Returns the strings and whole numbers of an array; nothing for what is none of such. */
    static Optional<List<String>> values(String text) {
        try {
            return new SelectJson("a list", text).parsed()
                                    instanceof YqlExpression.ListOf(_, var all)
                            && all.stream().allMatch(SelectJson::isListed)
                    ? Optional.of(all.stream().map(SelectJson::listed).toList())
                    : Optional.empty();
        } catch (YqlSyntaxException _) {
            return Optional.empty();
        }
    }

    private static boolean isListed(YqlExpression value) {
        return value instanceof YqlExpression.Text || value instanceof YqlExpression.Whole;
    }

    private static String listed(YqlExpression value) {
        return value instanceof YqlExpression.Text(_, var text)
                ? text
                : Long.toString(((YqlExpression.Whole) value).value());
    }

    private YqlExpression parsed() {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            parser.nextToken();
            YqlExpression value = value(parser, 0);
            if (parser.nextToken() != null) {
                throw YqlSyntaxException.in(
                        what,
                        YqlSyntaxException.Kind.VALUE,
                        text,
                        offset(parser),
                        "something follows the value");
            }
            return value;
        } catch (JacksonException e) {
            int at = e.getLocation() == null ? 0 : (int) e.getLocation().getCharOffset();
            throw YqlSyntaxException.in(
                    what,
                    YqlSyntaxException.Kind.VALUE,
                    text,
                    Math.clamp(at, 0, text.length()),
                    JsonProblem.of(e));
        }
    }

    private int offset(JsonParser parser) {
        return Math.clamp(parser.currentTokenLocation().getCharOffset(), 0, text.length());
    }

    private YqlExpression value(JsonParser parser, int depth) {
        int at = offset(parser);
        JsonToken token = parser.currentToken();
        if (depth > MAX_DEPTH) {
            throw error(new YqlExpression.Nothing(at), "nested deeper than " + MAX_DEPTH);
        }
        return switch (token) {
            case null -> throw error(new YqlExpression.Nothing(at), "expected a value");
            case START_OBJECT -> {
                var entries = new ArrayList<YqlExpression.Entry>();
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    int key = offset(parser);
                    String name = parser.currentName();
                    parser.nextToken();
                    entries.add(new YqlExpression.Entry(key, name, value(parser, depth + 1)));
                }
                yield new YqlExpression.MapOf(at, entries);
            }
            case START_ARRAY -> {
                var elements = new ArrayList<YqlExpression>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(value(parser, depth + 1));
                }
                yield new YqlExpression.ListOf(at, elements);
            }
            case VALUE_STRING -> new YqlExpression.Text(at, parser.getString());
            case VALUE_TRUE -> new YqlExpression.Truth(at, true);
            case VALUE_FALSE -> new YqlExpression.Truth(at, false);
            case VALUE_NULL -> new YqlExpression.Nothing(at);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(at, parser.getString());
            case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
                    throw error(new YqlExpression.Nothing(at), "expected a value");
        };
    }

    private YqlExpression number(int at, String written) {
        if (written.matches("-?[0-9]{1,19}")) {
            try {
                return new YqlExpression.Whole(at, Long.parseLong(written));
            } catch (NumberFormatException _) {
                // Beyond 64 bits: a real number.
            }
        }
        return new YqlExpression.Real(at, Double.parseDouble(written));
    }

    private YqlExpression condition(YqlExpression json) {
        if (json instanceof YqlExpression.Truth) {
            return json;
        }
        YqlExpression.Entry operator = operator(json);
        return annotated(
                operator.value(), operands -> operation(operator.key(), operands, operator));
    }

    private YqlExpression.Entry operator(YqlExpression json) {
        if (json instanceof YqlExpression.MapOf(_, var entries) && entries.size() == 1) {
            return entries.getFirst();
        }
        throw error(json, "expected an object with one operator, true or false");
    }

    /** What is made of operands. */
    private interface Made {
        YqlExpression of(YqlExpression operands);
    }

    /** Operands stand alone, or are the children of an object that has annotations, too. */
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
        throw error(attributes.get(), "expected an object of annotations");
    }

    private static Optional<YqlExpression> find(YqlExpression.MapOf map, String key) {
        return map.entries().stream()
                .filter(entry -> entry.key().equals(key))
                .map(YqlExpression.Entry::value)
                .findFirst();
    }

    private YqlExpression operation(
            String operator, YqlExpression operands, YqlExpression.Entry at) {
        return switch (operator) {
            case "and" -> new YqlExpression.And(at.offset(), conditions(operands));
            case "or" -> new YqlExpression.Or(at.offset(), conditions(operands));
            case "not" ->
                    new YqlExpression.Not(
                            at.offset(), new YqlExpression.Or(at.offset(), conditions(operands)));
            case "and_not" -> {
                var all = new ArrayList<>(conditions(operands));
                for (int i = 1; i < all.size(); i++) {
                    all.set(i, new YqlExpression.Not(all.get(i).offset(), all.get(i)));
                }
                yield new YqlExpression.And(at.offset(), all);
            }
            case "rank", "weakAnd" ->
                    new YqlExpression.Call(at.offset(), operator, conditions(operands));
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
                    throw error(operands, "expected a field and at least one value");
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
                    throw YqlSyntaxException.in(
                            what,
                            YqlSyntaxException.Kind.VALUE,
                            text,
                            at.offset(),
                            "there is no operator '" + operator + "'");
        };
    }

    private YqlExpression equal(YqlExpression operands, YqlExpression.Entry at) {
        YqlExpression field;
        YqlExpression value;
        if (operands instanceof YqlExpression.MapOf map) {
            field = name(find(map, "field").orElseThrow(() -> error(map, "expected a 'field'")));
            value = find(map, "value").orElseThrow(() -> error(map, "expected a 'value'"));
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
            throw error(both.get(1), "expected an object with >, >=, <, <= or =");
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
                default -> throw error(end.value(), "expected >, >=, <, <= or = as a key");
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

    /** What stands behind the field in {@code contains}. */
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
                                            list(operands).stream().map(this::inElement).toList());
                            case "fuzzy" ->
                                    call(
                                            operator,
                                            operands instanceof YqlExpression.ListOf(_, var all)
                                                    ? all
                                                    : List.of(operands));
                            default ->
                                    call(
                                            operator,
                                            list(operands).stream().map(this::contained).toList());
                        });
    }

    private static YqlExpression call(YqlExpression.Entry operator, List<YqlExpression> arguments) {
        return new YqlExpression.Call(operator.offset(), operator.key(), arguments);
    }

    /** A string, an operator, or {@code {"member": value}}. */
    private YqlExpression inElement(YqlExpression json) {
        if (json instanceof YqlExpression.Text) {
            return json;
        }
        YqlExpression.Entry entry = operator(json);
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
            case YqlExpression.Nothing _,
                    YqlExpression.Parameter _,
                    YqlExpression.Name _,
                    YqlExpression.Access _,
                    YqlExpression.Call _,
                    YqlExpression.And _,
                    YqlExpression.Or _,
                    YqlExpression.Not _,
                    YqlExpression.Comparison _,
                    YqlExpression.ListOf _,
                    YqlExpression.MapOf _,
                    YqlExpression.Annotated _ ->
                    condition(json);
        };
    }

    private static YqlExpression equal(YqlExpression.Entry entry, YqlExpression value) {
        return new YqlExpression.Comparison(
                new YqlExpression.Name(entry.offset(), entry.key()),
                entry.offset(),
                YqlExpression.Operator.EQUAL,
                value);
    }

    private List<YqlExpression> conditions(YqlExpression operands) {
        return list(operands).stream().map(this::condition).toList();
    }

    private List<YqlExpression> list(YqlExpression operands) {
        if (operands instanceof YqlExpression.ListOf(_, var elements)) {
            return elements;
        }
        throw error(operands, "expected an array of operands");
    }

    private List<YqlExpression> operands(
            YqlExpression operands, int count, YqlExpression.Entry at) {
        List<YqlExpression> all = list(operands);
        if (all.size() != count) {
            throw error(
                    operands,
                    "'%s': Expected %d arguments, got %d.".formatted(at.key(), count, all.size()));
        }
        return all;
    }

    private YqlExpression name(YqlExpression json) {
        return new YqlExpression.Name(json.offset(), text(json, "a name"));
    }

    private String text(YqlExpression json, String expected) {
        if (json instanceof YqlExpression.Text(_, var value)) {
            return value;
        }
        throw error(json, "expected " + expected + " in quotes");
    }

    private YqlSyntaxException error(YqlExpression at, String problem) {
        return YqlSyntaxException.in(
                what, YqlSyntaxException.Kind.VALUE, text, at.offset(), problem);
    }
}
