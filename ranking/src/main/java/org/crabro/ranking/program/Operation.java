package org.crabro.ranking.program;

import java.util.function.DoubleBinaryOperator;
import org.crabro.ranking.expression.BinaryOperator;
import org.crabro.ranking.expression.ScalarFunction;
import org.crabro.ranking.expression.UnaryOperator;

/** A function of one or two numbers; a function of one number ignores the second. */
enum Operation {
    NEGATE((a, _) -> -a),
    NOT((a, _) -> truth(a == 0)),
    ADD((a, b) -> a + b),
    SUBTRACT((a, b) -> a - b),
    MULTIPLY((a, b) -> a * b),
    DIVIDE((a, b) -> a / b),
    REMAINDER((a, b) -> a % b),
    POWER(Operation::power),
    EQUAL((a, b) -> truth(a == b)),
    NOT_EQUAL((a, b) -> truth(a != b)),
    ABOUT_EQUAL((a, b) -> truth(isAbout(a, b))),
    LESS((a, b) -> truth(a < b)),
    LESS_OR_EQUAL((a, b) -> truth(a <= b)),
    AND((a, b) -> truth(a != 0 && b != 0)),
    OR((a, b) -> truth(a != 0 || b != 0)),
    ABS((a, _) -> Math.abs(a)),
    ACOS((a, _) -> Math.acos(a)),
    ASIN((a, _) -> Math.asin(a)),
    ATAN((a, _) -> Math.atan(a)),
    ATAN2(Math::atan2),
    BIT((a, b) -> truth(b > -1 && b < 8 && (((byte) (int) a >> (int) b) & 1) != 0)),
    CEIL((a, _) -> Math.ceil(a)),
    COS((a, _) -> Math.cos(a)),
    COSH((a, _) -> Math.cosh(a)),
    ELU((a, _) -> a < 0 ? Math.exp(a) - 1 : a),
    ERF((a, _) -> erf(a)),
    EXP((a, _) -> Math.exp(a)),
    FLOOR((a, _) -> Math.floor(a)),
    HAMMING((a, b) -> Integer.bitCount(((int) a ^ (int) b) & 0xff)),
    IS_NAN((a, _) -> truth(Double.isNaN(a))),
    LDEXP((a, b) -> Math.scalb(a, (int) b)),
    LOG((a, _) -> Math.log(a)),
    LOG10((a, _) -> Math.log10(a)),
    /** Returns the first operand if they cannot be compared. */
    MAX((a, b) -> a < b ? b : a),
    /** Returns the first operand if they cannot be compared. */
    MIN((a, b) -> b < a ? b : a),
    RELU((a, _) -> a < 0 ? 0 : a),
    ROUND((a, _) -> Math.abs(a) < 0x1p52 ? Math.round(a) : a),
    SIGMOID((a, _) -> 1 / (1 + Math.exp(-a))),
    SIGN((a, _) -> a >= 0 ? 1 : -1),
    SIN((a, _) -> Math.sin(a)),
    SINH((a, _) -> Math.sinh(a)),
    SQRT((a, _) -> Math.sqrt(a)),
    SQUARE((a, _) -> a * a),
    TAN((a, _) -> Math.tan(a)),
    TANH((a, _) -> Math.tanh(a));

    private static final double TWO_OVER_ROOT_OF_PI = 2 / Math.sqrt(Math.PI);

    @SuppressWarnings("ImmutableEnumChecker") // the functions above hold no state
    private final DoubleBinaryOperator function;

    Operation(DoubleBinaryOperator function) {
        this.function = function;
    }

    static Operation of(UnaryOperator operator) {
        return switch (operator) {
            case MINUS -> NEGATE;
            case NOT -> NOT;
        };
    }

    /** {@code a > b} is {@code b < a}: the compiler swaps the operands if this is true. */
    static boolean isSwapped(BinaryOperator operator) {
        return operator == BinaryOperator.GREATER || operator == BinaryOperator.GREATER_OR_EQUAL;
    }

    static Operation of(BinaryOperator operator) {
        return switch (operator) {
            case POWER -> POWER;
            case MULTIPLY -> MULTIPLY;
            case DIVIDE -> DIVIDE;
            case REMAINDER -> REMAINDER;
            case PLUS -> ADD;
            case MINUS -> SUBTRACT;
            case EQUAL -> EQUAL;
            case NOT_EQUAL -> NOT_EQUAL;
            case ABOUT_EQUAL -> ABOUT_EQUAL;
            case LESS, GREATER -> LESS;
            case LESS_OR_EQUAL, GREATER_OR_EQUAL -> LESS_OR_EQUAL;
            case AND -> AND;
            case OR -> OR;
        };
    }

    static Operation of(ScalarFunction function) {
        return switch (function) {
            case ABS, FABS -> ABS;
            case ACOS -> ACOS;
            case ASIN -> ASIN;
            case ATAN -> ATAN;
            case ATAN2 -> ATAN2;
            case BIT -> BIT;
            case CEIL -> CEIL;
            case COS -> COS;
            case COSH -> COSH;
            case ELU -> ELU;
            case ERF -> ERF;
            case EXP -> EXP;
            case FLOOR -> FLOOR;
            case FMOD -> REMAINDER;
            case HAMMING -> HAMMING;
            case IS_NAN -> IS_NAN;
            case LDEXP -> LDEXP;
            case LOG -> LOG;
            case LOG10 -> LOG10;
            case MAX -> MAX;
            case MIN -> MIN;
            case POW -> POWER;
            case RELU -> RELU;
            case ROUND -> ROUND;
            case SIGMOID -> SIGMOID;
            case SIGN -> SIGN;
            case SIN -> SIN;
            case SINH -> SINH;
            case SQRT -> SQRT;
            case SQUARE -> SQUARE;
            case TAN -> TAN;
            case TANH -> TANH;
        };
    }

    /** Returns whether the second operand is ignored. */
    boolean isUnary() {
        return switch (this) {
            case ADD,
                    SUBTRACT,
                    MULTIPLY,
                    DIVIDE,
                    REMAINDER,
                    POWER,
                    EQUAL,
                    NOT_EQUAL,
                    ABOUT_EQUAL,
                    LESS,
                    LESS_OR_EQUAL,
                    AND,
                    OR,
                    ATAN2,
                    BIT,
                    HAMMING,
                    LDEXP,
                    MAX,
                    MIN ->
                    false;
            default -> true;
        };
    }

    /** Returns the result for one pair of numbers. */
    double apply(double a, double b) {
        return function.applyAsDouble(a, b);
    }

    /**
     * Applies the operation to the first {@code count} numbers of {@code a} and {@code b}. {@code
     * into} may be either of them.
     *
     * <p>The common operations have loops of their own, which the JIT compiles to vector
     * instructions. For the others, the cost of the call is small compared to the computation.
     */
    void apply(double[] a, double[] b, double[] into, int count) {
        switch (this) {
            case NEGATE -> {
                for (int i = 0; i < count; i++) {
                    into[i] = -a[i];
                }
            }
            case ADD -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a[i] + b[i];
                }
            }
            case SUBTRACT -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a[i] - b[i];
                }
            }
            case MULTIPLY -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a[i] * b[i];
                }
            }
            case DIVIDE -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a[i] / b[i];
                }
            }
            case LESS -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a[i] < b[i] ? 1 : 0;
                }
            }
            case MAX -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a[i] < b[i] ? b[i] : a[i];
                }
            }
            case MIN -> {
                for (int i = 0; i < count; i++) {
                    into[i] = b[i] < a[i] ? b[i] : a[i];
                }
            }
            case NOT,
                    REMAINDER,
                    POWER,
                    EQUAL,
                    NOT_EQUAL,
                    ABOUT_EQUAL,
                    LESS_OR_EQUAL,
                    AND,
                    OR,
                    ABS,
                    ACOS,
                    ASIN,
                    ATAN,
                    ATAN2,
                    BIT,
                    CEIL,
                    COS,
                    COSH,
                    ELU,
                    ERF,
                    EXP,
                    FLOOR,
                    HAMMING,
                    IS_NAN,
                    LDEXP,
                    LOG,
                    LOG10,
                    RELU,
                    ROUND,
                    SIGMOID,
                    SIGN,
                    SIN,
                    SINH,
                    SQRT,
                    SQUARE,
                    TAN,
                    TANH -> {
                for (int i = 0; i < count; i++) {
                    into[i] = function.applyAsDouble(a[i], b[i]);
                }
            }
        }
    }

    /**
     * Applies the operation to the first {@code count} numbers of {@code a} and one {@code b}, as
     * {@link #apply(double[], double[], double[], int)} does for an array filled with {@code b}.
     */
    void applyRight(double[] a, double b, double[] into, int count) {
        switch (this) {
            case ADD -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a[i] + b;
                }
            }
            case SUBTRACT -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a[i] - b;
                }
            }
            case MULTIPLY -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a[i] * b;
                }
            }
            case DIVIDE -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a[i] / b;
                }
            }
            case MAX -> largest(a, b, into, count);
            case MIN -> smallest(a, b, into, count);
            default -> {
                for (int i = 0; i < count; i++) {
                    into[i] = function.applyAsDouble(a[i], b);
                }
            }
        }
    }

    /** Applies the operation with a constant first operand. */
    void applyLeft(double a, double[] b, double[] into, int count) {
        switch (this) {
            case ADD, MULTIPLY -> applyRight(b, a, into, count);
            case SUBTRACT -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a - b[i];
                }
            }
            case DIVIDE -> {
                for (int i = 0; i < count; i++) {
                    into[i] = a / b[i];
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    into[i] = function.applyAsDouble(a, b[i]);
                }
            }
        }
    }

    /**
     * The JIT compiler has vector instructions for {@code Math.max}, which differs only for zeros
     * and for a second operand that is NaN.
     */
    private static void largest(double[] a, double b, double[] into, int count) {
        if (b == 0 || Double.isNaN(b)) {
            for (int i = 0; i < count; i++) {
                into[i] = a[i] < b ? b : a[i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                into[i] = Math.max(a[i], b);
            }
        }
    }

    private static void smallest(double[] a, double b, double[] into, int count) {
        if (b == 0 || Double.isNaN(b)) {
            for (int i = 0; i < count; i++) {
                into[i] = b < a[i] ? b : a[i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                into[i] = Math.min(a[i], b);
            }
        }
    }

    private static double truth(boolean holds) {
        return holds ? 1 : 0;
    }

    /** As C has it: 1 to any power is 1, and so is -1 to an infinite one. */
    private static double power(double a, double b) {
        return a == 1 || (a == -1 && Double.isInfinite(b)) ? 1 : Math.pow(a, b);
    }

    /** Equal, or neighbours, as floats; ratios are compared where the numbers are large. */
    private static boolean isAbout(double a, double b) {
        if (a == b) {
            return true;
        }
        if (Math.abs(a) > 1) {
            return Math.nextAfter((float) (b / a), 1.0) == 1.0f;
        }
        return (float) a == Math.nextAfter((float) b, (double) (float) a);
    }

    /** All terms of the sum have the same sign, so there is no cancellation. */
    private static double erf(double x) {
        if (Double.isNaN(x) || Math.abs(x) > 6) {
            return Math.signum(x);
        }
        double term = x;
        double sum = x;
        for (int n = 1; Math.abs(term) > Math.ulp(sum) / 4; n++) {
            term *= 2 * x * x / (2 * n + 1);
            sum += term;
        }
        return TWO_OVER_ROOT_OF_PI * Math.exp(-x * x) * sum;
    }
}
