package org.crabro.ranking.program;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.crabro.ranking.expression.BinaryOperator;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ScalarFunction;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.expression.UnaryOperator;

/** Evaluates a tree for one document, branch by branch, by the definitions: to test against. */
final class TreeInterpreter {
    private final ToDoubleFunction<Expression.Feature> features;

    TreeInterpreter(ToDoubleFunction<Expression.Feature> features) {
        this.features = features;
    }

    double value(Expression expression) {
        return switch (expression) {
            case Expression.Constant(double value) -> value;
            case Expression.Text(String text) -> StringValue.of(text);
            case Expression.Feature feature -> features.applyAsDouble(feature);
            case Expression.Unary(UnaryOperator operator, Expression operand) ->
                    operator == UnaryOperator.MINUS ? -value(operand) : value(operand) == 0 ? 1 : 0;
            case Expression.Binary(BinaryOperator operator, Expression left, Expression right) ->
                    binary(operator, left, right);
            case Expression.In(Expression operand, List<Expression> choices) -> {
                double value = value(operand);
                yield choices.stream().anyMatch(choice -> value(choice) == value) ? 1 : 0;
            }
            case Expression.Call(ScalarFunction function, List<Expression> arguments) ->
                    call(
                            function,
                            value(arguments.getFirst()),
                            function.arity() == 1 ? 0 : value(arguments.getLast()));
            case Expression.If(Expression condition, Expression then, Expression otherwise) ->
                    value(condition) == 0 ? value(otherwise) : value(then);
            case Expression.Trees _, Expression.Onnx _, TensorExpression _ ->
                    throw new AssertionError("no number: " + expression);
        };
    }

    private double binary(BinaryOperator operator, Expression left, Expression right) {
        double a = value(left);
        if (operator == BinaryOperator.AND) {
            return a != 0 && value(right) != 0 ? 1 : 0;
        }
        if (operator == BinaryOperator.OR) {
            return a != 0 || value(right) != 0 ? 1 : 0;
        }
        double b = value(right);
        return switch (operator) {
            case POWER -> a == 1 ? 1 : a == -1 && Double.isInfinite(b) ? 1 : Math.pow(a, b);
            case MULTIPLY -> a * b;
            case DIVIDE -> a / b;
            case REMAINDER -> a % b;
            case PLUS -> a + b;
            case MINUS -> a - b;
            case EQUAL -> a == b ? 1 : 0;
            case NOT_EQUAL -> a == b ? 0 : 1;
            case ABOUT_EQUAL -> aboutEqual(a, b);
            case LESS -> a < b ? 1 : 0;
            case LESS_OR_EQUAL -> a <= b ? 1 : 0;
            case GREATER -> a > b ? 1 : 0;
            case GREATER_OR_EQUAL -> a >= b ? 1 : 0;
            case AND, OR -> throw new AssertionError("handled above");
        };
    }

    private static double aboutEqual(double a, double b) {
        if (a == b) {
            return 1;
        }
        if (a > 1 || a < -1) {
            float ratio = (float) (b / a);
            float next = ratio < 1 ? Math.nextUp(ratio) : ratio > 1 ? Math.nextDown(ratio) : ratio;
            return next == 1 ? 1 : 0;
        }
        float x = (float) a;
        float y = (float) b;
        float next = y < x ? Math.nextUp(y) : y > x ? Math.nextDown(y) : y;
        return next == x ? 1 : 0;
    }

    private static double call(ScalarFunction function, double a, double b) {
        return switch (function) {
            case ABS, FABS -> a < 0 ? -a : a == 0 ? 0 : a;
            case ACOS -> Math.acos(a);
            case ASIN -> Math.asin(a);
            case ATAN -> Math.atan(a);
            case ATAN2 -> Math.atan2(a, b);
            case BIT -> {
                int bit = (int) b;
                yield b > -1 && bit < 8 && ((((byte) (int) a) & (1 << bit)) != 0) ? 1 : 0;
            }
            case CEIL -> Math.ceil(a);
            case COS -> Math.cos(a);
            case COSH -> Math.cosh(a);
            case ELU -> a < 0 ? Math.exp(a) - 1 : a;
            case ERF -> erf(a);
            case EXP -> Math.exp(a);
            case FLOOR -> Math.floor(a);
            case FMOD -> a % b;
            case HAMMING -> {
                int differing = 0;
                for (int bit = 0; bit < 8; bit++) {
                    differing += (((int) a >> bit) & 1) == (((int) b >> bit) & 1) ? 0 : 1;
                }
                yield differing;
            }
            case IS_NAN -> Double.isNaN(a) ? 1 : 0;
            case LDEXP -> Math.scalb(a, (int) b);
            case LOG -> Math.log(a);
            case LOG10 -> Math.log10(a);
            case MAX -> a < b ? b : a;
            case MIN -> b < a ? b : a;
            case POW -> a == 1 || (a == -1 && Double.isInfinite(b)) ? 1 : Math.pow(a, b);
            case RELU -> a < 0 ? 0 : a;
            case ROUND -> Double.isNaN(a) || Math.abs(a) > 1e15 ? a : (double) Math.round(a);
            case SIGMOID -> 1 / (1 + Math.exp(-a));
            case SIGN -> a >= 0 ? 1 : -1;
            case SIN -> Math.sin(a);
            case SINH -> Math.sinh(a);
            case SQRT -> Math.sqrt(a);
            case SQUARE -> a * a;
            case TAN -> Math.tan(a);
            case TANH -> Math.tanh(a);
        };
    }

    /** The integral of the definition, by Simpson's rule: good to about 1e-13. */
    private static double erf(double x) {
        if (Double.isNaN(x) || Math.abs(x) > 6) {
            return Math.signum(x);
        }
        int strips = 4_000;
        double width = x / strips;
        double sum = 1 + Math.exp(-x * x);
        for (int i = 1; i < strips; i++) {
            double at = i * width;
            sum += (i % 2 == 0 ? 2 : 4) * Math.exp(-at * at);
        }
        return 2 / Math.sqrt(Math.PI) * sum * width / 3;
    }
}
