package org.crabro.perf.serving;

import java.util.ArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.crabro.ranking.onnx.MeasuredModel;

/** Clients that run a model, each one run after another. */
final class ServingLoad {
    private static final int DIGITS = 3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private ServingLoad() {}

    /**
     * What clients saw.
     *
     * @param throughput in runs a second
     * @param average latency in ms, as all others
     */
    record Result(
            int clients, double throughput, double average, double p50, double p95, double p99) {}

    /**
     * Measures for {@code seconds}, after a fifth of that for warming up.
     *
     * @param tokens of each text
     */
    static Result of(MeasuredModel model, int clients, int tokens, double seconds)
            throws Exception {
        long begin = System.nanoTime() + (long) (seconds / 5 * NANOS_PER_SECOND);
        long end = begin + (long) (seconds * NANOS_PER_SECOND);
        var all = new Histogram(DIGITS);
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            var parts = new ArrayList<Future<Histogram>>();
            for (int i = 0; i < clients; i++) {
                parts.add(threads.submit(() -> client(model, tokens, begin, end)));
            }
            for (Future<Histogram> part : parts) {
                all.add(part.get());
            }
        }
        // Runs that began before the end are counted in full; they end a little later.
        double took = (System.nanoTime() - begin) / NANOS_PER_SECOND;
        return new Result(
                clients,
                all.getTotalCount() / took,
                all.getMean() / NANOS_PER_MILLI,
                millis(all, 50),
                millis(all, 95),
                millis(all, 99));
    }

    private static double millis(Histogram all, double percentile) {
        return all.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }

    private static Histogram client(MeasuredModel model, int tokens, long begin, long end)
            throws Exception {
        var latencies = new Histogram(DIGITS);
        boolean isNumber = true;
        long now = System.nanoTime();
        while (now - end < 0) {
            isNumber &= !Float.isNaN(model.run(tokens));
            long after = System.nanoTime();
            if (now - begin >= 0) {
                latencies.recordValue(after - now);
            }
            now = after;
        }
        if (!isNumber) {
            throw new IllegalStateException("the model gives no numbers");
        }
        return latencies;
    }
}
