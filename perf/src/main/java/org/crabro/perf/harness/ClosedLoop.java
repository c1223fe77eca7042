package org.crabro.perf.harness;

import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Clients that send one request after another for some time. */
public final class ClosedLoop {
    /** One request. */
    public interface Operation {
        /**
         * Sends it.
         *
         * @param number increases by one for each request of a client
         */
        void run(int client, int number) throws Exception;
    }

    /** The requests of all clients. */
    public record Result(long count, double seconds, Measured.Latency latency) {
        /** Returns how many requests were answered in a second. */
        public Measured.Rate rate(String unit) {
            return new Measured.Rate(count / seconds, unit);
        }

        /** Returns the figures of Crabro. */
        public Measured measured(
                String task,
                Measured.Rate rate,
                Measured.Cost cost,
                Optional<Measured.Limit> limit) {
            return new Measured(task, Measured.CRABRO, rate, Optional.of(latency), cost, limit);
        }
    }

    private ClosedLoop() {}

    /** Returns after {@code seconds}, when the last request of each client is answered. */
    public static Result run(int clients, double seconds, Operation operation) throws Exception {
        long begin = System.nanoTime();
        long end = begin + (long) (seconds * 1e9);
        Histogram times =
                Together.times(
                        clients,
                        (client, into) -> {
                            long now = System.nanoTime();
                            for (int i = 0; i == 0 || now < end; i++) {
                                operation.run(client, i);
                                long after = System.nanoTime();
                                into.recordValue(after - now);
                                now = after;
                            }
                        });
        return new Result(
                times.getTotalCount(),
                (System.nanoTime() - begin) / 1e9,
                new Measured.Latency(
                        times.getValueAtPercentile(50) / 1e6,
                        times.getValueAtPercentile(99) / 1e6));
    }
}
