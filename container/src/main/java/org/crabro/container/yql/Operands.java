package org.crabro.container.yql;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.NearestName;
import org.crabro.protocol.query.RangeEnd;

/** Reads constants, {@code @parameters}, fields and arguments, and reports wrong ones. */
final class Operands {
    /**
     * Longer texts are no numbers, because the time of the patterns grows with the square of the
     * length.
     */
    private static final int MAX_NUMBER_CHARS = 500;

    private final String what;
    private final String statement;
    private final QueryContext context;

    /**
     * @param what describes the text in errors
     */
    Operands(String what, String statement, QueryContext context) {
        this.what = what;
        this.statement = statement;
        this.context = context;
    }

    /** Returns the language of the query's words, as a tag; empty if none is set. */
    String language() {
        return context.language();
    }

    /**
     * Ignores an unknown annotation.
     *
     * @throws YqlSyntaxException if the request is strict
     */
    void ignore(YqlExpression.Entry annotation) {
        String name = annotation.key();
        if (context.isStrict()) {
            throw error(
                    annotation.offset(),
                    "there is no annotation '%s'%s"
                            .formatted(name, NearestName.hint(name, StandardAnnotation.keys())));
        }
        context.noteIgnored(name);
    }

    /** Returns whether words are stemmed by default. */
    boolean stems() {
        return context.stems();
    }

    /** Returns the value of a string expression; {@code what} names the place in errors. */
    String text(YqlExpression expression, String what) {
        if (expression instanceof YqlExpression.Text(_, var value)) {
            return value;
        }
        if (expression instanceof YqlExpression.Parameter parameter) {
            return parameter(parameter);
        }
        throw expected("a string", what, expression);
    }

    boolean truth(YqlExpression expression, String what) {
        if (expression instanceof YqlExpression.Truth(_, var value)) {
            return value;
        }
        if (expression instanceof YqlExpression.Parameter parameter) {
            Optional<Boolean> value = truth(parameter(parameter));
            if (value.isPresent()) {
                return value.get();
            }
        }
        throw expected("true or false", what, expression);
    }

    int whole(YqlExpression expression, String what) {
        if (number(expression, what) instanceof RangeEnd.Whole(var value, _)
                && value == (int) value) {
            return (int) value;
        }
        throw expected("a whole number of 32 bits", what, expression);
    }

    double real(YqlExpression expression, String what) {
        return switch (number(expression, what)) {
            case RangeEnd.Whole(var value, _) -> value;
            case RangeEnd.Real(var value, _) -> value;
            case RangeEnd.Unbounded() -> throw expected("a finite number", what, expression);
        };
    }

    /** Returns the number that {@code expression} is, as an included end; infinity has no end. */
    RangeEnd number(YqlExpression expression, String what) {
        return constant(expression).orElseThrow(() -> expected("a number", what, expression));
    }

    /** Returns the end of a range that {@code expression} is. */
    RangeEnd limit(YqlExpression expression) {
        return constant(expression)
                .orElseThrow(() ->
                        error(
                                expression.offset(),
                                "expected numerical argument (or 'Infinity') to range, got "
                                        + shown(expression)));
    }

    private Optional<RangeEnd> constant(YqlExpression expression) {
        return switch (expression) {
            case YqlExpression.Whole(_, var value) -> Optional.of(new RangeEnd.Whole(value, true));
            case YqlExpression.Real(_, var value) -> Optional.of(end(value));
            case YqlExpression.Name(_, var path) ->
                    path.equalsIgnoreCase("infinity")
                            ? Optional.of(new RangeEnd.Unbounded())
                            : Optional.empty();
            case YqlExpression.Parameter parameter -> number(parameter(parameter));
            default -> Optional.empty();
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

    String parameter(YqlExpression.Parameter parameter) {
        return context.parameter(parameter.name())
                .orElseThrow(() ->
                        error(
                                parameter.offset(),
                                "missing query property '" + parameter.name() + "'"));
    }

    YqlSyntaxException expected(String expected, String what, YqlExpression actual) {
        return error(
                actual.offset(),
                "expected " + expected + " for " + what + ", got " + shown(actual));
    }

    YqlSyntaxException error(int offset, String problem) {
        return YqlSyntaxException.in(
                what, YqlSyntaxException.Kind.STATEMENT, statement, offset, problem);
    }

    YqlSyntaxException badValue(int offset, String problem) {
        return YqlSyntaxException.in(
                what, YqlSyntaxException.Kind.VALUE, statement, offset, problem);
    }

    /** Returns {@code expression} for error messages: constants as text, others by kind. */
    String shown(YqlExpression expression) {
        return switch (expression) {
            case YqlExpression.Text(_, var value) -> '"' + value + '"';
            case YqlExpression.Whole(_, var value) -> Long.toString(value);
            case YqlExpression.Real(_, var value) -> Double.toString(value);
            case YqlExpression.Truth(_, var value) -> Boolean.toString(value);
            case YqlExpression.Nothing _ -> "null";
            case YqlExpression.Parameter parameter ->
                    "@"
                            + parameter.name()
                            + context.parameter(parameter.name())
                                    .map(value -> " = \"" + value + '"')
                                    .orElse("");
            case YqlExpression.Name(_, var path) -> "'" + path + "'";
            case YqlExpression.Access(_, var base, _, var bracket, _, _) ->
                    shown(base) + " with " + bracket;
            case YqlExpression.Call(_, var function, _) -> function + "()";
            case YqlExpression.And _ -> "'and'";
            case YqlExpression.Or _ -> "'or'";
            case YqlExpression.Not _ -> "'!'";
            case YqlExpression.Comparison comparison -> "'" + comparison.operator().written() + "'";
            case YqlExpression.ListOf _ -> "a list";
            case YqlExpression.MapOf _ -> "a map";
            case YqlExpression.Annotated(_, _, var operand) -> shown(operand);
        };
    }

    /** Returns the path of the field that {@code expression} names, also as a string. */
    String field(YqlExpression expression) {
        if (expression instanceof YqlExpression.Name(_, var path)) {
            return path;
        }
        if (expression instanceof YqlExpression.Text(_, var path) && !path.isBlank()) {
            return path;
        }
        if (expression
                instanceof
                YqlExpression.Access(_, var base, var at, var bracket, var key, var member)) {
            if (bracket == '[') {
                throw error(at, "an element cannot be named by its index here");
            }
            String entry = "{\"" + text(key, "the key of a map") + "\"}";
            return field(base) + entry + (member.isEmpty() ? "" : "." + member);
        }
        throw error(expression.offset(), "expected a field, got " + shown(expression));
    }

    /** Returns the argument of a call that has one. */
    YqlExpression only(YqlExpression.Call call) {
        expectArguments(call, 1);
        return call.arguments().getFirst();
    }

    /**
     * Checks the number of arguments of a call.
     *
     * @throws YqlSyntaxException if there are more or fewer than {@code count}
     */
    void expectArguments(YqlExpression.Call call, int count) {
        if (call.arguments().size() != count) {
            throw error(
                    call.offset(),
                    "%s(): Expected %d argument%s, got %d."
                            .formatted(
                                    call.function(),
                                    count,
                                    count == 1 ? "" : "s",
                                    call.arguments().size()));
        }
    }

    /** Returns the error for a call of a function that is not one of {@code names}. */
    YqlSyntaxException unknownFunction(YqlExpression.Call call, Set<String> names) {
        return error(
                call.offset(),
                "expected one of the functions "
                        + String.join(", ", new TreeSet<>(names))
                        + ", got '"
                        + call.function()
                        + "'");
    }
}
