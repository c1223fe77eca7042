package org.crabro.content.search.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class KeyWeightsTest {
    private static final int MANY = 50_000;

    private final KeyWeights weights = new KeyWeights();

    /** Compares with a sorted list: from 0 to some hundred keys, with reads in between. */
    @Test
    void hasTheLargestFirst() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        for (int value = 0; value < 2_000; value++) {
            weights.clear();
            var expected = new ArrayList<Integer>();
            int bound = 1 << random.nextInt(31);
            int count = random.nextInt(1 << random.nextInt(10));
            for (int i = 0; i < count; i++) {
                int weight = random.nextBoolean() ? random.nextInt(bound) : -random.nextInt(bound);
                if (random.nextInt(100) == 0) {
                    weight = random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE;
                }
                weights.add(weight);
                expected.add(weight);
                if (random.nextInt(50) == 0) {
                    compare(expected, seed, value);
                }
            }
            compare(expected, seed, value);
        }
    }

    private void compare(List<Integer> expected, long seed, int value) {
        expected.sort(Comparator.reverseOrder());
        var actual = new ArrayList<Integer>();
        for (int i = 0; i < weights.count(); i++) {
            actual.add(weights.weight(i));
        }
        assertThat(actual).as("value %d, seed %d", value, seed).isEqualTo(expected);
    }

    /** Of whatever order their weights are. */
    @Test
    void allocatesNothingForAValueWithAsManyKeysAsBefore() {
        var random = new Random(20_26);
        IntUnaryOperator[] shapes = {i -> i, i -> -i, i -> i % 7, i -> i % 1_000, i -> i ^ 64};
        int[] noise = random.ints(MANY).toArray();
        fill(i -> noise[i]);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        for (IntUnaryOperator shape : shapes) {
            fill(shape);
        }
        fill(i -> noise[i]);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(MANY);
    }

    private void fill(IntUnaryOperator weight) {
        weights.clear();
        for (int i = 0; i < MANY; i++) {
            weights.add(weight.applyAsInt(i));
        }
        assertThat(weights.weight(0)).isGreaterThanOrEqualTo(weights.weight(MANY - 1));
    }
}
