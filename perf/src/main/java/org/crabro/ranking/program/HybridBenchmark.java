package org.crabro.ranking.program;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Evaluates an expression of eight operations over 10,000 candidates, on one thread, in batches as
 * in a query. Compares with the same expression written in Java. Both compute features from stored
 * data: frequencies and lengths, distances, times.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class HybridBenchmark {
    /** How many documents are scored. */
    public static final int CANDIDATES = 10_000;

    private static final String EXPRESSION =
            "(0.4 * min(bm25(text) / 20, 1) + 0.5 * closeness(field, vector))"
                    + " * (1 + 0.2 * freshness(time))";

    /** As many rows as a block of a run has at most. */
    private static final int BATCH = 1_000;

    private static final int TERMS = 2;
    private static final double SATURATION = 1.2;
    private static final double NORMALISATION = 0.75;
    private static final double AVERAGE_LENGTH = 120;
    private static final double[] WEIGHTS = {2.5, 4.75};
    private static final double NOW = 1_800_000_000;
    private static final double MAX_AGE = 7_776_000;

    private final int[][] frequencies = new int[TERMS][CANDIDATES];
    private final int[] lengths = new int[CANDIDATES];
    private final double[] distances = new double[CANDIDATES];
    private final long[] times = new long[CANDIDATES];
    private final double[][] features = new double[3][CANDIDATES];
    private final double[] scores = new double[BATCH];
    private final double[] all = new double[CANDIDATES];
    private final RankProgram program = RankProgram.compile(ExpressionParser.parse(EXPRESSION));
    private final BatchEvaluation evaluation = program.evaluation(BATCH);

    /** Creates the stored data. */
    @Setup
    public void make() {
        if (!program.features().stream()
                .map(Expression.Feature::name)
                .toList()
                .equals(List.of("bm25", "closeness", "freshness"))) {
            throw new IllegalStateException("other slots: " + program.features());
        }
        var random = new Random(2026);
        for (int i = 0; i < CANDIDATES; i++) {
            frequencies[0][i] = random.nextInt(4);
            frequencies[1][i] = random.nextInt(2);
            lengths[i] = 20 + random.nextInt(200);
            distances[i] = random.nextDouble();
            times[i] = (long) NOW - random.nextInt(10_000_000);
        }
        for (int slot = 0; slot < features.length; slot++) {
            feature(slot, 0, CANDIDATES, features[slot]);
        }
        double sum = stored();
        if (sum != byHandStored() || sum != given() || sum != byHandGiven()) {
            throw new IllegalStateException("they differ");
        }
    }

    /** The expression, over features that are computed on demand. */
    @Benchmark
    public double stored() {
        double sum = 0;
        for (int from = 0; from < CANDIDATES; from += BATCH) {
            int first = from;
            evaluation.evaluate(
                    (slot, into, count) -> feature(slot, first, count, into), BATCH, scores);
            sum += scores[0];
        }
        return sum;
    }

    /** The same by hand: features and all in one loop. */
    @Benchmark
    public double byHandStored() {
        int[] once = frequencies[0];
        int[] again = frequencies[1];
        int[] tokens = lengths;
        double[] apart = distances;
        long[] written = times;
        double[] into = all;
        for (int i = 0; i < CANDIDATES; i++) {
            double norm = norm(tokens[i]);
            double bm25 =
                    WEIGHTS[0] * once[i] / (once[i] + norm)
                            + WEIGHTS[1] * again[i] / (again[i] + norm);
            double closeness = 1 / (1 + apart[i]);
            double freshness = Math.max(1 - Math.max(0, NOW - written[i]) / MAX_AGE, 0);
            into[i] = (0.4 * Math.min(bm25 / 20, 1) + 0.5 * closeness) * (1 + 0.2 * freshness);
        }
        return firsts(into);
    }

    /** The expression, over precomputed features: eight operations only. */
    @Benchmark
    public double given() {
        double sum = 0;
        for (int from = 0; from < CANDIDATES; from += BATCH) {
            int first = from;
            evaluation.evaluate(
                    (slot, into, count) -> System.arraycopy(features[slot], first, into, 0, count),
                    BATCH,
                    scores);
            sum += scores[0];
        }
        return sum;
    }

    /** The same by hand, which needs no copy of them. */
    @Benchmark
    public double byHandGiven() {
        double[] bm25 = features[0];
        double[] closeness = features[1];
        double[] freshness = features[2];
        double[] into = all;
        for (int i = 0; i < CANDIDATES; i++) {
            into[i] =
                    (0.4 * Math.min(bm25[i] / 20, 1) + 0.5 * closeness[i])
                            * (1 + 0.2 * freshness[i]);
        }
        return firsts(into);
    }

    private static double firsts(double[] scores) {
        double sum = 0;
        for (int from = 0; from < CANDIDATES; from += BATCH) {
            sum += scores[from];
        }
        return sum;
    }

    /** Computes a feature in a loop or two, as sources of features do. */
    private void feature(int slot, int from, int count, double[] into) {
        switch (slot) {
            case 0 -> bm25(from, count, into);
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    into[i] = 1 / (1 + distances[from + i]);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    into[i] = Math.max(0, NOW - times[from + i]);
                }
                for (int i = 0; i < count; i++) {
                    into[i] = Math.max(1 - into[i] / MAX_AGE, 0);
                }
            }
        }
    }

    private void bm25(int from, int count, double[] into) {
        Arrays.fill(into, 0, count, 0);
        for (int term = 0; term < TERMS; term++) {
            for (int i = 0; i < count; i++) {
                double frequency = frequencies[term][from + i];
                if (frequency > 0) {
                    double norm = norm(lengths[from + i]);
                    into[i] += WEIGHTS[term] * frequency / (frequency + norm);
                }
            }
        }
    }

    private static double norm(int length) {
        return SATURATION * (1 - NORMALISATION + NORMALISATION * length / AVERAGE_LENGTH);
    }
}
