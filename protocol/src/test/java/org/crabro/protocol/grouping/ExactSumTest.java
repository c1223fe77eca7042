package org.crabro.protocol.grouping;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExactSumTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    @Test
    void isTheNearestDoubleWhateverTheOrder() {
        var random = new Random(SEED);
        for (int round = 0; round < 300; round++) {
            List<Double> numbers = new ArrayList<>();
            var exact = BigDecimal.ZERO;
            for (int i = random.nextInt(60); i > 0; i--) {
                double number = random.nextGaussian() * Math.pow(10, random.nextInt(-200, 200));
                numbers.add(number);
                exact = exact.add(new BigDecimal(number));
                if (random.nextInt(3) == 0) {
                    numbers.add(-number);
                    exact = exact.subtract(new BigDecimal(number));
                }
            }
            Collections.shuffle(numbers, random);
            int cut = numbers.isEmpty() ? 0 : random.nextInt(numbers.size());

            ExactSum sum =
                    sum(numbers.subList(0, cut)).plus(sum(numbers.subList(cut, numbers.size())));

            assertThat(sum.value())
                    .as("seed %d round %d", SEED, round)
                    .isEqualTo(exact.doubleValue());
        }
    }

    @Test
    void saysThatASumIsNotFinite() {
        assertThat(sum(List.of(1.0, Double.POSITIVE_INFINITY, -5.0)).value())
                .isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(sum(List.of(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)).value())
                .isNaN();
        assertThat(sum(List.of(Double.NaN, 1.0)).isFinite()).isFalse();
        assertThat(sum(List.of()).value()).isZero();
    }

    private static ExactSum sum(List<Double> numbers) {
        ExactSum sum = ExactSum.ZERO;
        for (double number : numbers) {
            sum = sum.plus(new ExactSum(List.of(number)));
        }
        return sum;
    }
}
