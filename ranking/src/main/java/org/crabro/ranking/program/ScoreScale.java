package org.crabro.ranking.program;

import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Adjusts the scores of hits that a later phase has not scored, so that none of them comes before a
 * hit that it has scored. If the lowest new score is below them, they are shifted and scaled by the
 * same factor as the others. Otherwise they do not change.
 *
 * @param factor of a score
 * @param bias added after that
 */
public record ScoreScale(double factor, double bias) {
    /**
     * Returns the scale of {@code count} scores that have become others.
     *
     * @param count at least 1
     */
    public static ScoreScale of(double[] before, double[] after, int count) {
        double lowBefore = Double.POSITIVE_INFINITY;
        double highBefore = Double.NEGATIVE_INFINITY;
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            lowBefore = Math.min(lowBefore, before[i]);
            highBefore = Math.max(highBefore, before[i]);
            low = Math.min(low, after[i]);
            high = Math.max(high, after[i]);
        }
        if (!(lowBefore > low)) {
            return new ScoreScale(1, 0);
        }
        double factor = Math.max(high - low, 1) / Math.max(highBefore - lowBefore, 1);
        return new ScoreScale(factor, low - lowBefore * factor);
    }

    /**
     * Scales the scores of hits that were not rescored, by the scale of those that were. If no hit
     * was rescored, the scores do not change.
     *
     * @param before returns the old score at each index
     * @param scores the new scores of rescored hits; receives the scores of the others
     * @param isScored which hits were rescored
     */
    public static void moveOthers(IntToDoubleFunction before, double[] scores, boolean[] isScored) {
        var old = new double[scores.length];
        var again = new double[scores.length];
        int count = 0;
        for (int i = 0; i < scores.length; i++) {
            if (isScored[i]) {
                old[count] = before.applyAsDouble(i);
                again[count++] = scores[i];
            }
        }
        @Nullable ScoreScale scale = count == 0 ? null : of(old, again, count);
        for (int i = 0; i < scores.length; i++) {
            if (!isScored[i]) {
                double score = before.applyAsDouble(i);
                scores[i] = scale == null ? score : scale.of(score);
            }
        }
    }

    /** Returns the scaled score; negative infinity if that is not finite. */
    public double of(double score) {
        double scaled = score * factor + bias;
        return Double.isFinite(scaled) ? scaled : Double.NEGATIVE_INFINITY;
    }
}
