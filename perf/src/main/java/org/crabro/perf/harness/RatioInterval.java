package org.crabro.perf.harness;

import java.util.List;

/**
 * The median of ratios and an interval that contains the true median with at least 95 %.
 *
 * @param low 0 or above; 0 if there are too few ratios
 * @param high not below {@code low}; infinite if there are too few ratios
 */
record RatioInterval(double median, double low, double high) {
    private static final double RISK = 0.05;

    /**
     * Takes the interval from the order statistics of the ratios: each ratio is below the true
     * median with probability 1/2, so the interval between the k-th smallest and the k-th largest
     * of n misses it with probability 2 P(B(n, 1/2) &lt; k) (Conover, Practical Nonparametric
     * Statistics, 3.2). No distribution is assumed. Eleven ratios give k = 2, fewer than six give
     * no bounds.
     *
     * @param ratios at least one
     */
    static RatioInterval of(List<Double> ratios) {
        List<Double> sorted = ratios.stream().sorted().toList();
        int count = sorted.size();
        int rank = 0;
        double probability = Math.pow(0.5, count);
        double missed = 2 * probability;
        while (missed <= RISK) {
            rank++;
            probability *= (double) (count - rank + 1) / rank;
            missed += 2 * probability;
        }
        return new RatioInterval(
                Figures.median(sorted),
                rank == 0 ? 0 : sorted.get(rank - 1),
                rank == 0 ? Double.POSITIVE_INFINITY : sorted.get(count - rank));
    }
}
