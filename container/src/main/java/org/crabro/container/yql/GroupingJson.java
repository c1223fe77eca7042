package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Translates groupings in JSON to the grouping language: {@code [{"all": {"group": "year"}}]}.
 * Texts in JSON are parts of that language. None of them ends the parentheses in which it is put,
 * so that the operations are those of the JSON.
 */
public final class GroupingJson {
    /** The name of an operation or a function, and {@code -} for the opposite order. */
    private static final Pattern NAME = Pattern.compile("-?[A-Za-z_][A-Za-z0-9_.]*");

    private final JsonExpressions expressions;

    private GroupingJson(JsonExpressions expressions) {
        this.expressions = expressions;
    }

    /**
     * Returns the groupings in an array, in the language of the parameter {@code select}.
     *
     * @throws YqlSyntaxException at the first wrong place
     */
    public static String grouping(String text) {
        var json =
                new GroupingJson(new JsonExpressions("query from select.grouping: select", text));
        YqlExpression value = json.expressions.parsed();
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
                            throw json.expressions.error(
                                    request, "expected an object with 'all' or 'each'");
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
                label =
                        " as("
                                + part(entry.value(), expressions.text(entry.value(), "a label"))
                                + ")";
            }
        }
        boolean used = label.isEmpty();
        for (YqlExpression.Entry entry : map.entries()) {
            if (entry.key().equals("label")) {
                continue;
            }
            if (!NAME.matcher(entry.key()).matches()) {
                throw expressions.error(
                        new YqlExpression.Nothing(entry.offset()),
                        "expected the name of an operation");
            }
            String part = entry.key() + "(" + inside(entry.value()) + ")";
            if (entry.key().equals("each") && !used) {
                used = true;
                part += label;
            }
            parts.add(part);
        }
        if (!used) {
            throw expressions.error(map, "a label belongs next to 'each'");
        }
        return String.join(" ", parts);
    }

    /** Returns a text that is put into parentheses. */
    private String part(YqlExpression at, String text) {
        if (!GroupingReader.staysInParentheses(text)) {
            throw expressions.error(
                    at, "expected a text that does not end in the parentheses around it");
        }
        return text;
    }

    private String inside(YqlExpression value) {
        return switch (value) {
            case YqlExpression.MapOf map -> operations(map);
            case YqlExpression.ListOf(_, var elements) ->
                    String.join(",", elements.stream().map(this::inside).toList());
            case YqlExpression.Text(_, var text) -> part(value, text);
            case YqlExpression.Whole(_, var number) -> Long.toString(number);
            case YqlExpression.Real(_, var number) -> Double.toString(number);
            case YqlExpression.Truth(_, var truth) -> Boolean.toString(truth);
            default ->
                    throw expressions.error(
                            value, "expected a text, a number, an array or an object");
        };
    }
}
