package org.crabro.client.bench;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param took from the end of the warm-up to the last answer
 * @param items that answers had
 * @param latencies of successful requests
 */
public record LoadResult(
        LoadSettings settings,
        Duration took,
        Counts counts,
        Items items,
        Breakdown breakdown,
        Latencies latencies) {

    /**
     * The number of requests.
     *
     * @param answers all counted requests
     * @param failures those that failed
     * @param empty those that succeeded without items, such as queries without hits
     * @param missedCycles those of a closed loop that began later than their cycle
     */
    public record Counts(long answers, long failures, long empty, long missedCycles) {
        /** Returns the number of successful requests. */
        public long successes() {
            return answers - failures;
        }
    }

    /**
     * The items of all answers, such as hits or documents.
     *
     * @param bytes of all bodies
     */
    public record Items(String name, long count, long bytes) {}

    /**
     * Requests by answer.
     *
     * @param statuses by HTTP status; 0 for no answer
     * @param notes by the reason why they failed, or what was odd
     */
    public record Breakdown(Map<Integer, Long> statuses, Map<String, Long> notes) {
        public Breakdown {
            statuses = Collections.unmodifiableMap(new LinkedHashMap<>(statuses));
            notes = Collections.unmodifiableMap(new LinkedHashMap<>(notes));
        }
    }

    /**
     * A part of a run.
     *
     * @param from seconds since the end of the warm-up
     * @param rate answers in a second
     * @param median latency in milliseconds; 0 without successful requests
     * @param p99 the 99th percentile, alike
     */
    public record Interval(double from, double rate, double median, double p99) {}

    /** Returns the number of answers in a second. */
    public double rate() {
        return counts.answers() / (took.toNanos() / 1e9);
    }

    /** Returns whether every request succeeded, and there was one. */
    public boolean isSuccess() {
        return counts.answers() > 0 && counts.failures() == 0;
    }
}
