package org.crabro.ranking.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An operation with one number gives what it gives with a column of that number. */
class OperationTest {
    private static final double[] NUMBERS = {
        0.0,
        -0.0,
        1,
        -1,
        0.5,
        7,
        -3.25,
        1e300,
        -1e-300,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
    };

    @ParameterizedTest
    @EnumSource(Operation.class)
    void oneNumberIsAColumnOfIt(Operation operation) {
        double[] expected = new double[NUMBERS.length];
        double[] results = new double[NUMBERS.length];
        for (double number : NUMBERS) {
            double[] column = new double[NUMBERS.length];
            Arrays.fill(column, number);

            operation.apply(NUMBERS, column, expected, NUMBERS.length);
            operation.applyRight(NUMBERS, number, results, NUMBERS.length);
            assertThat(results).as("… %s %s", operation, number).containsExactly(expected);

            operation.apply(column, NUMBERS, expected, NUMBERS.length);
            operation.applyLeft(number, NUMBERS, results, NUMBERS.length);
            assertThat(results).as("%s %s …", number, operation).containsExactly(expected);
        }
    }
}
