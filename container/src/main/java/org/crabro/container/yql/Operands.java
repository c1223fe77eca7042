package org.crabro.container.yql;

import java.util.Optional;
import org.crabro.protocol.query.RangeEnd;

/** Reads constants and {@code @parameters} as what a place asks for, or says what it asked for. */
final class Operands {
    /** Longer texts are no numbers: the patterns take time that grows with the square. */
    private static final int MAX_NUMBER_CHARS = 500;

    private final String what;
    private final String statement;
    private final QueryContext context;

    /**
     * @param what could not be made where something is wrong, and of what
     */
    Operands(String what, String statement, QueryContext context) {
        this.what = what;
        this.statement = statement;
        this.context = context;
    }

    /** Returns the language of the query's words, as a tag; empty where nobody said it. */
    String language() {
        return context.language();
    }

    /** Returns whether other forms of words are found unless they say otherwise. */
    boolean stems() {
        return context.stems();
    }

    /** Returns the string that {@code expression} is; {@code what} names the place in errors. */
    String text(Expression expression, String what) {
        if (expression instanceof Expression.Text(_, var value)) {
            return value;
        }
        if (expression instanceof Expression.Parameter parameter) {
            return parameter(parameter);
        }
        throw expected("a string", what, expression);
    }

    boolean truth(Expression expression, String what) {
        if (expression instanceof Expression.Truth(_, var value)) {
            return value;
        }
        if (expression instanceof Expression.Parameter parameter) {
            Optional<Boolean> value = truth(parameter(parameter));
            if (value.isPresent()) {
                return value.get();
            }
        }
        throw expected("true or false", what, expression);
    }

    int whole(Expression expression, String what) {
        if (number(expression, what) instanceof RangeEnd.Whole(var value, _)
                && value == (int) value) {
            return (int) value;
        }
        throw expected("a whole number of 32 bits", what, expression);
    }

    double real(Expression expression, String what) {
        return switch (number(expression, what)) {
            case RangeEnd.Whole(var value, _) -> value;
            case RangeEnd.Real(var value, _) -> value;
            case RangeEnd.Unbounded() -> throw expected("a finite number", what, expression);
        };
    }

    /** Returns the number that {@code expression} is, as an included end; infinity has no end. */
    RangeEnd number(Expression expression, String what) {
        return constant(expression).orElseThrow(() -> expected("a number", what, expression));
    }

    /** Returns the end of a range that {@code expression} is. */
    RangeEnd limit(Expression expression) {
        return constant(expression)
                .orElseThrow(() ->
                        error(
                                expression.offset(),
                                "expected numerical argument (or 'Infinity') to range, got "
                                        + shown(expression)));
    }

    private Optional<RangeEnd> constant(Expression expression) {
        return switch (expression) {
            case Expression.Whole(_, var value) -> Optional.of(new RangeEnd.Whole(value, true));
            case Expression.Real(_, var value) -> Optional.of(end(value));
            case Expression.Name(_, var path) ->
                    path.equalsIgnoreCase("infinity")
                            ? Optional.of(new RangeEnd.Unbounded())
                            : Optional.empty();
            case Expression.Parameter parameter -> number(parameter(parameter));
            case Expression.Text _,
                    Expression.Truth _,
                    Expression.Nothing _,
                    Expression.Access _,
                    Expression.Call _,
                    Expression.And _,
                    Expression.Or _,
                    Expression.Not _,
                    Expression.Comparison _,
                    Expression.ListOf _,
                    Expression.MapOf _,
                    Expression.Annotated _ ->
                    Optional.empty();
        };
    }

    /** Returns the number written as {@code text}. */
    static Optional<RangeEnd> number(String text) {
        String stripped = text.strip();
        if (stripped.length() > MAX_NUMBER_CHARS) {
            return Optional.empty();
        }
        if (stripped.matches("[-+]?[0-9]{1,19}")) {
            try {
                return Optional.of(new RangeEnd.Whole(Long.parseLong(stripped), true));
            } catch (NumberFormatException _) {
                return Optional.empty();
            }
        }
        if (stripped.matches("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?")) {
            return Optional.of(end(Double.parseDouble(stripped)));
        }
        return stripped.matches("-?Infinity")
                ? Optional.of(new RangeEnd.Unbounded())
                : Optional.empty();
    }

    /** Returns the truth written as {@code text}. */
    static Optional<Boolean> truth(String text) {
        String stripped = text.strip();
        if (stripped.equalsIgnoreCase("true")) {
            return Optional.of(true);
        }
        return stripped.equalsIgnoreCase("false") ? Optional.of(false) : Optional.empty();
    }

    private static RangeEnd end(double value) {
        return Double.isInfinite(value) ? new RangeEnd.Unbounded() : new RangeEnd.Real(value, true);
    }

    String parameter(Expression.Parameter parameter) {
        return context.parameter(parameter.name())
                .orElseThrow(() ->
                        error(
                                parameter.offset(),
                                "missing query property '" + parameter.name() + "'"));
    }

    YqlSyntaxException expected(String expected, String what, Expression found) {
        return error(
                found.offset(), "expected " + expected + " for " + what + ", got " + shown(found));
    }

    YqlSyntaxException error(int offset, String problem) {
        return YqlSyntaxException.in(
                what, YqlSyntaxException.Kind.STATEMENT, statement, offset, problem);
    }

    YqlSyntaxException badValue(int offset, String problem) {
        return YqlSyntaxException.in(
                what, YqlSyntaxException.Kind.VALUE, statement, offset, problem);
    }

    /** Returns {@code expression} as errors show it: constants themselves, the rest by its kind. */
    String shown(Expression expression) {
        return switch (expression) {
            case Expression.Text(_, var value) -> '"' + value + '"';
            case Expression.Whole(_, var value) -> Long.toString(value);
            case Expression.Real(_, var value) -> Double.toString(value);
            case Expression.Truth(_, var value) -> Boolean.toString(value);
            case Expression.Nothing _ -> "null";
            case Expression.Parameter parameter ->
                    "@"
                            + parameter.name()
                            + context.parameter(parameter.name())
                                    .map(value -> " = \"" + value + '"')
                                    .orElse("");
            case Expression.Name(_, var path) -> "'" + path + "'";
            case Expression.Access(_, var base, _, var bracket, _, _) ->
                    shown(base) + " with " + bracket;
            case Expression.Call(_, var function, _) -> function + "()";
            case Expression.And _ -> "'and'";
            case Expression.Or _ -> "'or'";
            case Expression.Not _ -> "'!'";
            case Expression.Comparison comparison -> "'" + comparison.operator().written() + "'";
            case Expression.ListOf _ -> "a list";
            case Expression.MapOf _ -> "a map";
            case Expression.Annotated(_, _, var operand) -> shown(operand);
        };
    }
}
