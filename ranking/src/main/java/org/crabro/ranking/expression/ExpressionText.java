package org.crabro.ranking.expression;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.stream.IntStream;
import org.crabro.ranking.expression.Expression.Binary;
import org.crabro.ranking.expression.Expression.Call;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.If;
import org.crabro.ranking.expression.Expression.In;
import org.crabro.ranking.expression.Expression.Onnx;
import org.crabro.ranking.expression.Expression.Text;
import org.crabro.ranking.expression.Expression.Trees;
import org.crabro.ranking.expression.Expression.Unary;

/**
 * Writes expressions as text that reads back as the same expression, with no more parentheses than
 * needed. A feature's text is its name in results, such as {@code closeness(field,embedding)}.
 */
public final class ExpressionText {
    /** The precedence of signs, negations, and all expressions without operators. */
    static final int VALUE = 6;

    /** Integers up to this one are written without a fraction. */
    private static final double LARGEST_PLAIN = 1e15;

    /** A number that reads back as infinite. */
    private static final String INFINITE = "1e999";

    /** The index of the condition of {@code foreach}, which is {@code true} if there is none. */
    private static final int FOREACH_CONDITION = 3;

    private ExpressionText() {}

    /** Returns the text of {@code expression}, on one line. */
    public static String of(Expression expression) {
        return switch (expression) {
            case Constant(double value) -> number(value);
            case Text(String value) -> quoted(value);
            case Feature feature -> feature(feature);
            case Unary(UnaryOperator operator, Expression operand) ->
                    sign(operator) + within(operand, VALUE);
            case Binary binary -> binary(binary);
            case In(Expression operand, List<Expression> choices) ->
                    within(operand, BinaryOperator.COMPARISON) + " in [" + list(choices) + "]";
            case Call(ScalarFunction function, List<Expression> arguments) ->
                    function + "(" + list(arguments) + ")";
            case If(Expression condition, Expression then, Expression otherwise) ->
                    "if(" + list(List.of(condition, then, otherwise)) + ")";
            case Trees trees -> trees.written();
            case Onnx onnx -> onnx.written();
            case TensorExpression tensor -> TensorExpressionText.of(tensor);
        };
    }

    private static String sign(UnaryOperator operator) {
        return switch (operator) {
            case MINUS -> "-";
            case NOT -> "!";
        };
    }

    private static String binary(Binary binary) {
        BinaryOperator operator = binary.operator();
        int tighter = operator.precedence() + 1;
        boolean right = operator.isRightAssociative();
        return within(binary.left(), right ? tighter : operator.precedence())
                + " "
                + operator.symbol()
                + " "
                + within(binary.right(), right ? operator.precedence() : tighter);
    }

    static String within(Expression part, int precedence) {
        int own =
                switch (part) {
                    case Binary binary -> binary.operator().precedence();
                    case In _ -> BinaryOperator.COMPARISON;
                    default -> VALUE;
                };
        return own < precedence ? "(" + of(part) + ")" : of(part);
    }

    static String list(List<Expression> parts) {
        return parts.stream().map(ExpressionText::of).collect(joining(", "));
    }

    private static String feature(Feature feature) {
        List<String> written =
                IntStream.range(0, feature.arguments().size())
                        .mapToObj(at -> argument(feature, at))
                        .toList();
        String arguments = written.isEmpty() ? "" : "(" + String.join(",", written) + ")";
        String output = feature.output().isEmpty() ? "" : "." + feature.output();
        return feature.name() + arguments + output;
    }

    private static String argument(Feature feature, int at) {
        Expression argument = feature.arguments().get(at);
        // Read as 1, but its name in results is as it was written.
        boolean always =
                feature.name().equals("foreach")
                        && at == FOREACH_CONDITION
                        && argument.equals(new Constant(1));
        return always ? "true" : argument(argument);
    }

    /**
     * Returns an argument of a feature. Expressions with operators are quoted, because the name of
     * a feature contains no blanks.
     */
    private static String argument(Expression argument) {
        return switch (argument) {
            case Constant _, Text _, Feature _, TensorExpression.Variable _ -> of(argument);
            case Unary(UnaryOperator operator, Constant _) when operator == UnaryOperator.MINUS ->
                    of(argument);
            default -> quoted(of(argument));
        };
    }

    private static String number(double value) {
        if (Double.isInfinite(value)) {
            return value > 0 ? INFINITE : "-" + INFINITE;
        }
        return value == Math.rint(value) && Math.abs(value) < LARGEST_PLAIN
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    static String quoted(String value) {
        var text = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                case '\f' -> text.append("\\f");
                default -> text.append(c);
            }
        }
        return text.append('"').toString();
    }
}
