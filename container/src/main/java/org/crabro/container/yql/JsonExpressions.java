package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.document.json.MeteredParser;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Parses a parameter that contains JSON to the expressions that YQL has, with their offsets in the
 * text.
 */
final class JsonExpressions {
    private static final int MAX_DEPTH = 200;

    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
                    .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
                    .build();

    private final String what;
    private final String text;

    /**
     * @param what the part of the request that contains the text, for errors
     */
    JsonExpressions(String what, String text) {
        this.what = what;
        this.text = text;
    }

    /**
     * Returns the strings and whole numbers of an array; empty if {@code text} is no array or has
     * other values.
     */
    static Optional<List<String>> values(String text) {
        try {
            return new JsonExpressions("a list", text).parsed()
                                    instanceof YqlExpression.ListOf(_, var all)
                            && all.stream().allMatch(JsonExpressions::isListed)
                    ? Optional.of(all.stream().map(JsonExpressions::listed).toList())
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

    /**
     * Returns the value that is the whole text.
     *
     * @throws YqlSyntaxException if it is not well formed, or nested too deeply
     */
    YqlExpression parsed() {
        try (JsonParser parser =
                MeteredParser.of(JSON.createParser(ObjectReadContext.empty(), text))) {
            parser.nextToken();
            YqlExpression value = value(parser, 0);
            if (parser.nextToken() != null) {
                throw YqlSyntaxException.in(
                        what,
                        YqlSyntaxException.Kind.VALUE,
                        text,
                        offset(parser),
                        "unexpected text after the value");
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

    /**
     * Returns the string that {@code json} is.
     *
     * @param expected the meaning of the string, for the error
     */
    String text(YqlExpression json, String expected) {
        if (json instanceof YqlExpression.Text(_, var value)) {
            return value;
        }
        throw error(json, "expected " + expected + " in quotes");
    }

    /** Returns an error at the offset of {@code at}. */
    YqlSyntaxException error(YqlExpression at, String problem) {
        return YqlSyntaxException.in(
                what, YqlSyntaxException.Kind.VALUE, text, at.offset(), problem);
    }
}
