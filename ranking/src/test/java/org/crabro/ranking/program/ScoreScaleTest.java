package org.crabro.ranking.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScoreScaleTest {
    @Test
    void movesThoseBehindBelowTheWorst() {
        double[] scores = moved(new double[] {9, 7, 5, 1}, 3, 1, Double.NaN, Double.NaN);

        // From 7 to 1, and from a range of 2 to one of 2.
        assertThat(scores).containsExactly(3, 1, -1, -5);
    }

    @Test
    void looksAtThoseAloneThatWereScoredAgain() {
        double[] scores = moved(new double[] {9, 8, 7, 5}, 10, Double.NaN, 8, Double.NaN);

        assertThat(scores).containsExactly(10, 8, 8, 5);
    }

    @Test
    void leavesScoresWhereNoneWasScoredAgain() {
        assertThat(moved(new double[] {2, 1}, Double.NaN, Double.NaN)).containsExactly(2, 1);
    }

    /** Scores that are not there yet are written as NaN. */
    private static double[] moved(double[] before, double... scores) {
        boolean[] isScored = new boolean[scores.length];
        double[] moved = new double[scores.length];
        for (int i = 0; i < scores.length; i++) {
            isScored[i] = !Double.isNaN(scores[i]);
            moved[i] = isScored[i] ? scores[i] : 0;
        }
        ScoreScale.moveOthers(i -> before[i], moved, isScored);
        return moved;
    }
}
