package org.crabro.protocol.grouping;

import java.util.List;
import java.util.function.Function;

/**
 * Arithmetic on numbers, for expressions on documents and on groups.
 *
 * <p>Whole numbers stay whole and wrap at 64 bits. A division by 0 is 0.
 */
public final class GroupMath {
    private GroupMath() {}

    /** Returns whether a function can be applied to aggregates of groups. */
    static boolean isForGroups(GroupFunction function) {
        return isArithmetic(function) || isReal(function);
    }

    /**
     * Returns whether a function accepts any number of operands, and has whole results for whole
     * numbers.
     */
    public static boolean isArithmetic(GroupFunction function) {
        return switch (function) {
            case ADD, SUB, MUL, DIV, MOD, NEG, AND, OR, XOR, MIN, MAX -> true;
            default -> false;
        };
    }

    /** Returns whether a function has a floating-point result for one or two numbers. */
    public static boolean isReal(GroupFunction function) {
        return switch (function) {
            case EXP,
                    LOG,
                    LOG1P,
                    LOG10,
                    SQRT,
                    CBRT,
                    SIN,
                    COS,
                    TAN,
                    ASIN,
                    ACOS,
                    ATAN,
                    SINH,
                    COSH,
                    TANH,
                    ASINH,
                    ACOSH,
                    ATANH,
                    FLOOR,
                    POW,
                    HYPOT ->
                    true;
            default -> false;
        };
    }

    /** Returns whether a function is a bit operation, with whole results for all numbers. */
    public static boolean isBitwise(GroupFunction function) {
        return switch (function) {
            case AND, OR, XOR -> true;
            default -> false;
        };
    }

    /** Returns {@code a function b} for whole numbers. */
    public static long apply(GroupFunction function, long a, long b) {
        return switch (function) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL -> a * b;
            case DIV -> b == 0 ? 0 : a / b;
            case MOD -> b == 0 ? 0 : a % b;
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            default -> throw new IllegalArgumentException(function + " of whole numbers");
        };
    }

    /** Returns {@code a function b}. */
    public static double apply(GroupFunction function, double a, double b) {
        return switch (function) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL -> a * b;
            case DIV -> b == 0 ? 0 : a / b;
            case MOD -> b == 0 ? 0 : a % b;
            case AND, OR, XOR -> apply(function, whole(a), whole(b));
            case MIN -> Math.min(a, b);
            case MAX -> greater(a, b);
            case POW -> Math.pow(a, b);
            case HYPOT -> Math.hypot(a, b);
            default -> throw new IllegalArgumentException(function + " of two numbers");
        };
    }

    /**
     * Compares numbers. NaN is smaller than every other number: it stands for a missing value, as
     * the smallest whole number does.
     */
    public static int compare(double a, double b) {
        return Double.isNaN(a) || Double.isNaN(b)
                ? Boolean.compare(Double.isNaN(b), Double.isNaN(a))
                : Double.compare(a, b);
    }

    /** Returns the larger number by {@link #compare}. {@link Math#min} returns the smaller one. */
    public static double greater(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
    }

    /** Returns {@code function(a)}. */
    public static double apply(GroupFunction function, double a) {
        return switch (function) {
            case NEG -> -a;
            case EXP -> Math.exp(a);
            case LOG -> Math.log(a);
            case LOG1P -> Math.log1p(a);
            case LOG10 -> Math.log10(a);
            case SQRT -> Math.sqrt(a);
            case CBRT -> Math.cbrt(a);
            case SIN -> Math.sin(a);
            case COS -> Math.cos(a);
            case TAN -> Math.tan(a);
            case ASIN -> Math.asin(a);
            case ACOS -> Math.acos(a);
            case ATAN -> Math.atan(a);
            case SINH -> Math.sinh(a);
            case COSH -> Math.cosh(a);
            case TANH -> Math.tanh(a);
            case ASINH -> Math.copySign(Math.log(Math.abs(a) + Math.sqrt(a * a + 1)), a);
            case ACOSH -> Math.log(a + Math.sqrt(a * a - 1));
            case ATANH -> 0.5 * Math.log((1 + a) / (1 - a));
            case FLOOR -> Math.floor(a);
            default -> throw new IllegalArgumentException(function + " of one number");
        };
    }

    /**
     * Returns the nearest whole number, with halves rounded away from zero; for NaN the smallest
     * long.
     */
    public static long whole(double number) {
        if (Double.isNaN(number)) {
            return Long.MIN_VALUE;
        }
        double down = Math.floor(Math.abs(number));
        double nearest = Math.abs(number) - down >= 0.5 ? down + 1 : down;
        return (long) Math.copySign(nearest, number);
    }

    /**
     * Returns the value of an expression on the aggregates of a group.
     *
     * @param aggregates returns the values of aggregates and quantiles
     */
    public static GroupValue value(
            GroupExpression expression, Function<GroupExpression, GroupValue> aggregates) {
        return switch (expression) {
            case GroupExpression.Whole(long value) -> new GroupValue.Whole(value);
            case GroupExpression.Real(double value) -> new GroupValue.Real(value);
            case GroupExpression.Aggregate _, GroupExpression.Quantiles _ ->
                    aggregates.apply(expression);
            case GroupExpression.Call(var function, var arguments) ->
                    value(
                            function,
                            arguments.stream().map(each -> value(each, aggregates)).toList());
            case GroupExpression.Text _,
                    GroupExpression.FieldOf _,
                    GroupExpression.Predefined _,
                    GroupExpression.Summary _ ->
                    throw new IllegalArgumentException(expression.text() + " of a group");
        };
    }

    private static GroupValue value(GroupFunction function, List<GroupValue> arguments) {
        if (isReal(function)) {
            double first = arguments.getFirst().number();
            return new GroupValue.Real(
                    arguments.size() == 1
                            ? apply(function, first)
                            : apply(function, first, arguments.get(1).number()));
        }
        boolean whole = arguments.stream().allMatch(each -> each instanceof GroupValue.Whole);
        if (function == GroupFunction.NEG) {
            return arguments.getFirst() instanceof GroupValue.Whole(long value)
                    ? new GroupValue.Whole(-value)
                    : new GroupValue.Real(-arguments.getFirst().number());
        }
        if (whole || isBitwise(function)) {
            long result = whole(arguments.getFirst());
            for (GroupValue each : arguments.subList(1, arguments.size())) {
                result = apply(function, result, whole(each));
            }
            return new GroupValue.Whole(result);
        }
        double result = arguments.getFirst().number();
        for (GroupValue each : arguments.subList(1, arguments.size())) {
            result = apply(function, result, each.number());
        }
        return new GroupValue.Real(result);
    }

    private static long whole(GroupValue value) {
        return value instanceof GroupValue.Whole(long number) ? number : whole(value.number());
    }
}
