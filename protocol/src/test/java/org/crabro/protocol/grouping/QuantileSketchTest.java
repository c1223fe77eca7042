package org.crabro.protocol.grouping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QuantileSketchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    @Test
    void isExactForFewNumbers() {
        QuantileSketch sketch = QuantileSketch.of(new double[] {5, -1, 3, 2, 4});

        assertThat(sketch.quantile(0)).isEqualTo(-1);
        assertThat(sketch.quantile(0.5)).isEqualTo(3);
        assertThat(sketch.quantile(0.6)).isEqualTo(3);
        assertThat(sketch.quantile(0.61)).isEqualTo(4);
        assertThat(sketch.quantile(1)).isEqualTo(5);
        assertThat(new QuantileSketch().quantile(0.5)).isZero();
    }

    @Test
    void isWithinItsBoundForManyAndDoesNotDependOnTheOrder() {
        var random = new Random(SEED);
        double[] numbers =
                random.doubles(20_000).map(each -> Math.exp(20 * each - 10) - 50).toArray();
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        var whole = QuantileSketch.of(numbers);
        var parts = new QuantileSketch();
        for (int from = 0; from < numbers.length; ) {
            int to = Math.min(numbers.length, from + 1 + random.nextInt(9_000));
            parts.add(QuantileSketch.of(Arrays.copyOfRange(numbers, from, to)));
            from = to;
        }

        assertThat(parts).as("seed %d", SEED).isEqualTo(whole);
        for (double level : new double[] {0, 0.001, 0.25, 0.5, 0.9, 0.999, 1}) {
            double exact = sorted[Math.max(1, (int) Math.ceil(level * sorted.length)) - 1];
            assertThat(whole.quantile(level))
                    .as("quantile %s, seed %d", level, SEED)
                    .isCloseTo(exact, within(Math.abs(exact) / 256));
        }
    }
}
