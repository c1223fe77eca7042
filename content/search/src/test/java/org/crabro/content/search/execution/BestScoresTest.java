package org.crabro.content.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BestScoresTest {
    private static final long SEED = Long.getLong("crabro.seed", 7);

    @Test
    void anyScoreIsAmongTheBestUntilThereAreEnough() {
        var best = new BestScores(2);
        best.add(5);

        assertThat(best.least()).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @Test
    void theLeastIsTheLastOfTheBest() {
        var random = new Random(SEED);
        for (int round = 0; round < 100; round++) {
            int limit = 1 + random.nextInt(200);
            double[] scores =
                    random.doubles(limit + random.nextInt(500), -1, 1)
                            .map(score -> Math.rint(100 * score) / 100)
                            .toArray();
            var best = new BestScores(limit);
            for (double score : scores) {
                best.add(score);
            }

            Arrays.sort(scores);
            assertThat(best.least()).as("seed %d", SEED).isEqualTo(scores[scores.length - limit]);
        }
    }
}
