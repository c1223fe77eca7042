package org.crabro.container.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.crabro.container.yql.TextOrders;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.TextOrder;

/**
 * Parses the parameter {@code ranking.sorting}.
 *
 * <pre>
 *   sorting   := key { blank key }
 *   key       := [ "+" | "-" ] expression
 *   expression:= field | relevance | "[docid]" | "[source]"
 *              | ( "lowercase" | "raw" ) "(" expression ")"
 *              | "uca" "(" expression [ "," locale [ "," strength ] ] ")"
 *              | ( "min" | "max" | "sum" ) "(" expression ")"
 *              | "missing" "(" expression "," ( "first" | "last" | "as" "," value ) ")"
 *   field     := "[" member "]" | member
 *   member    := path [ "{" ( name | '"' text '"' ) "}" [ "." path ] ]
 *   path      := letter { letter | digit | "_" | "." | "-" }
 *   relevance := "[relevance]" | "[rank]" | "[relevancy]"
 * </pre>
 *
 * {@code +} is ascending. Without a sign the schema decides for a field; relevance is descending.
 * Names of functions are read in any case.
 */
final class SortingParser {
    private static final Pattern FIELD =
            Pattern.compile(
                    "[a-zA-Z_][a-zA-Z0-9_.-]*(?:\\{(?:\"[^\"{}]*\"|[^\"{}]+)\\}"
                            + "(?:\\.[a-zA-Z_][a-zA-Z0-9_.-]*)?)?");

    /** The deepest nesting of functions. */
    private static final int DEPTH_MAX = 16;

    private final Predicate<String> descends;

    private SortingParser(Predicate<String> descends) {
        this.descends = descends;
    }

    /** Returns the keys of a text if fields without a sign are ascending. */
    static List<SortKey> parse(String text) {
        return parse(text, _ -> false);
    }

    /**
     * Returns the keys of a text.
     *
     * @param descends whether a field without a sign is descending
     */
    static List<SortKey> parse(String text, Predicate<String> descends) {
        var parser = new SortingParser(descends);
        return split(text.strip(), true).stream()
                .filter(key -> !key.isBlank())
                .map(parser::key)
                .toList();
    }

    /** Splits a text at the blanks or commas outside parentheses. */
    private static List<String> split(String text, boolean atBlanks) {
        var parts = new ArrayList<String>();
        int depth = 0;
        int start = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
            boolean isBorder = atBlanks ? Character.isWhitespace(c) : c == ',';
            if (isBorder && depth == 0) {
                parts.add(text.substring(start, at));
                start = at + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    private SortKey key(String text) {
        boolean signed = text.startsWith("+") || text.startsWith("-");
        String expression = signed ? text.substring(1) : text;
        return expression(expression, signed, text.startsWith("-"), 0);
    }

    private SortKey expression(String text, boolean signed, boolean descending, int depth) {
        String name = text.strip();
        int open = name.indexOf('(');
        if (open >= 0) {
            if (!name.endsWith(")")) {
                throw illegal("expected ')' at the end of '" + name + "'");
            }
            if (depth == DEPTH_MAX) {
                throw illegal("functions are nested deeper than " + DEPTH_MAX);
            }
            return function(
                    name.substring(0, open).strip().toLowerCase(Locale.ROOT),
                    split(name.substring(open + 1, name.length() - 1), false),
                    signed,
                    descending,
                    depth + 1);
        }
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "[relevance]", "[rank]", "[relevancy]" ->
                    new SortKey.Relevance(signed && !descending);
            case "[docid]" -> new SortKey.DocumentIds(!descending);
            case "[source]" -> new SortKey.Sources(!descending, "");
            default -> {
                String field = field(name);
                yield new SortKey.FieldValueOf(field, signed ? !descending : !descends.test(field));
            }
        };
    }

    private SortKey function(
            String name, List<String> arguments, boolean signed, boolean descending, int depth) {
        SortKey inner = expression(arguments.getFirst(), signed, descending, depth);
        if (!(inner instanceof SortKey.FieldValueOf value)) {
            throw illegal("%s() is for fields".formatted(name));
        }
        return switch (name) {
            case "lowercase", "raw" -> {
                expectArguments(name, arguments, 1);
                yield value.with(
                        name.equals("raw") ? new TextOrder.Raw() : new TextOrder.LowerCase());
            }
            case "min", "max", "sum" -> {
                expectArguments(name, arguments, 1);
                yield value.with(TextOrders.several(name).orElseThrow());
            }
            case "missing" -> value.with(missing(arguments));
            case "uca" -> value.with(collated(arguments));
            default ->
                    throw illegal(
                            "expected lowercase, raw, uca, missing, min, max or sum but found '"
                                    + name
                                    + "'");
        };
    }

    private static TextOrder collated(List<String> arguments) {
        if (arguments.size() > 3) {
            throw illegal("uca() expects 1 to 3 arguments but got " + arguments.size());
        }
        Optional<String> locale = arguments.stream().skip(1).findFirst().map(String::strip);
        Optional<String> strength = arguments.stream().skip(2).findFirst().map(String::strip);
        try {
            return TextOrders.collated(locale, strength);
        } catch (IllegalArgumentException e) {
            throw illegal("uca(): " + e.getMessage());
        }
    }

    private static SortKey.Missing missing(List<String> arguments) {
        String policy =
                arguments.size() < 2 ? "" : arguments.get(1).strip().toLowerCase(Locale.ROOT);
        return switch (policy) {
            case "first" -> {
                expectArguments("missing", arguments, 2);
                yield new SortKey.Missing.First();
            }
            case "last" -> {
                expectArguments("missing", arguments, 2);
                yield new SortKey.Missing.Last();
            }
            case "as" -> {
                expectArguments("missing", arguments, 3);
                yield new SortKey.Missing.As(unquoted(arguments.get(2).strip()));
            }
            default ->
                    throw illegal(
                            "missing() expects first, last, or as and a value, but found '"
                                    + policy
                                    + "'");
        };
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private static void expectArguments(String name, List<String> arguments, int count) {
        if (arguments.size() != count) {
            throw illegal(
                    "%s() expects %d arguments but got %d"
                            .formatted(name, count, arguments.size()));
        }
    }

    private static String field(String text) {
        boolean isBracketed = text.startsWith("[") && text.endsWith("]");
        String name = isBracketed ? text.substring(1, text.length() - 1) : text;
        if (!FIELD.matcher(name).matches()) {
            throw illegal(
                    "expected a field or [relevance], with + or - before it, but found '"
                            + text
                            + "'");
        }
        return name;
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(ErrorCode.ILLEGAL_QUERY, "ranking.sorting: " + problem);
    }
}
