package org.crabro.ranking.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ProfileFunctions;
import org.crabro.ranking.expression.ProfileFunctions.Function;
import org.crabro.ranking.type.ExpressionTypeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arguments have the same meaning in a function's body as at its call. */
class FunctionNamesTest {
    private static final ProfileFunctions FUNCTIONS =
            new ProfileFunctions(
                    Map.of(
                            "row", function("tensor(x[3])(x + 10 * a)", "a"),
                            "total", function("sum(row(a))", "a"),
                            "grid", function("tensor(x[2])(sum(row(x + a)))", "a"),
                            "scaled", function("map(row(0), f(x)(x * a))", "a"),
                            "twice", function("sum(tensor(x[2])(a)) + sum(tensor(y[2])(a))", "a")));

    private static Function function(String text, String... parameters) {
        return Function.parse(List.of(parameters), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "row(2)                      | tensor(x[3]):[20.0, 21.0, 22.0]",
                "tensor(x[2])(total(x))      | tensor(x[2]):[3.0, 33.0]",
                "tensor(y[2])(total(y))      | tensor(y[2]):[3.0, 33.0]",
                "grid(5)                     | tensor(x[2]):[153.0, 183.0]",
                "tensor(x[2])(sum(grid(x)))  | tensor(x[2]):[36.0, 96.0]",
                "tensor(x[2])(twice(x))      | tensor(x[2]):[0.0, 4.0]",
                "tensor(x[2],y[2])(total(x * y)) | tensor(x[2],y[2]):[[3.0, 3.0], [3.0, 33.0]]",
            })
    void argumentsKeepTheirMeaning(String text, String value) {
        var whole = FUNCTIONS.expand(ExpressionParser.parse(text));

        assertThat(Evaluated.of(whole, Map.of())).hasToString(value);
    }

    /** Functions in map and the like see their parameters alone, whatever is handed over. */
    @Test
    void aFunctionThatSeesItsParametersAloneDoesNotTakeAnotherForOne() {
        var whole = FUNCTIONS.expand(ExpressionParser.parse("tensor(x[2])(sum(scaled(x)))"));

        assertThatExceptionOfType(ExpressionTypeException.class)
                .isThrownBy(() -> Evaluated.of(whole, Map.of()));
    }
}
