package org.crabro.ranking.expression;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The scalar functions of the language. All of them take one or two arguments. */
public enum ScalarFunction {
    ABS(1),
    ACOS(1),
    ASIN(1),
    ATAN(1),
    ATAN2(2),
    /** Whether a bit of the first argument, taken as int8, is set. */
    BIT(2),
    CEIL(1),
    COS(1),
    COSH(1),
    ELU(1),
    ERF(1),
    EXP(1),
    FABS(1),
    FLOOR(1),
    FMOD(2),
    /** How many bits differ between the arguments, each taken as int8. */
    HAMMING(2),
    IS_NAN(1),
    /** The first argument times 2 to the second, cut to an integer. */
    LDEXP(2),
    LOG(1),
    LOG10(1),
    MAX(2),
    MIN(2),
    POW(2),
    RELU(1),
    ROUND(1),
    SIGMOID(1),
    SIGN(1),
    SIN(1),
    SINH(1),
    SQRT(1),
    SQUARE(1),
    TAN(1),
    TANH(1);

    private static final Map<String, ScalarFunction> BY_NAME =
            Arrays.stream(values())
                    .collect(Collectors.toMap(ScalarFunction::toString, Function.identity()));

    private final int arity;

    ScalarFunction(int arity) {
        this.arity = arity;
    }

    /** Returns the function written as {@code name}. */
    public static Optional<ScalarFunction> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** Returns how many arguments it takes: 1 or 2. */
    public int arity() {
        return arity;
    }

    /** Returns the name as written in expressions. */
    @Override
    public String toString() {
        return this == IS_NAN ? "isNan" : name().toLowerCase(Locale.ROOT);
    }
}
