package org.crabro.client.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Counts the results of a feed, and prints them like the feed command of Vespa. Thread-safe. */
public final class FeedStatistics {
    private static final double MB = 1e6;

    private final long beginNanos = System.nanoTime();

    // Guarded by this.
    private final Map<Integer, Long> codes = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private long begun;
    private long operations;
    private long ok;
    private long conditionsNotMet;
    private long errors;
    private long requests;
    private long requestBytes;
    private long exceptions;
    private long responses;
    private long responseBytes;
    private long latencyMin = Long.MAX_VALUE;
    private long latencySum;
    private long latencyMax;

    /** Counts an operation that begins. */
    synchronized void begun() {
        begun++;
    }

    /** Counts an operation that was answered. */
    synchronized void answered(int status, String problem) {
        operations++;
        codes.merge(status, 1L, Long::sum);
        if (status == 200) {
            ok++;
        } else if (status == 412) {
            conditionsNotMet++;
        } else {
            errors++;
            keep(problem);
        }
    }

    /** Counts an operation that has no answer. */
    synchronized void failed(String problem) {
        operations++;
        errors++;
        keep(problem);
    }

    private void keep(String problem) {
        if (problems.size() < FeedClient.PROBLEMS_KEPT) {
            problems.add(problem);
        }
    }

    synchronized void requested(long bytes) {
        requests++;
        requestBytes += bytes;
    }

    synchronized void responded(long bytes, long millis) {
        responses++;
        responseBytes += bytes;
        latencyMin = Math.min(latencyMin, millis);
        latencyMax = Math.max(latencyMax, millis);
        latencySum += millis;
    }

    synchronized void excepted() {
        exceptions++;
    }

    /** Returns the time since these statistics were made, in seconds. */
    public double seconds() {
        return (System.nanoTime() - beginNanos) / 1e9;
    }

    /** Returns how many operations have begun and are not over. */
    public synchronized long inFlight() {
        return begun - operations;
    }

    /** Returns how many operations are over. */
    public synchronized long operations() {
        return operations;
    }

    /** Returns how many were answered with 200. */
    public synchronized long ok() {
        return ok;
    }

    /** Returns how many conditions did not hold. */
    public synchronized long conditionsNotMet() {
        return conditionsNotMet;
    }

    /** Returns how many were refused, or have no answer. */
    public synchronized long errors() {
        return errors;
    }

    /** Returns the first errors, at most {@value FeedClient#PROBLEMS_KEPT}. */
    public synchronized List<String> problems() {
        return List.copyOf(problems);
    }

    /** Returns all of it as JSON, with two blanks for each level. */
    public synchronized String json() {
        double seconds = seconds();
        var json = new StringBuilder("{\n");
        put(json, "feeder.operation.count", Long.toString(operations));
        put(json, "feeder.seconds", decimal(seconds));
        put(json, "feeder.ok.count", Long.toString(ok));
        put(json, "feeder.ok.rate", decimal(ok / seconds));
        put(json, "feeder.error.count", Long.toString(errors));
        put(json, "feeder.inflight.count", Long.toString(begun - operations));
        put(json, "http.request.count", Long.toString(requests));
        put(json, "http.request.bytes", Long.toString(requestBytes));
        put(json, "http.request.MBps", decimal(requestBytes / MB / seconds));
        put(json, "http.exception.count", Long.toString(exceptions));
        put(json, "http.response.count", Long.toString(responses));
        put(json, "http.response.bytes", Long.toString(responseBytes));
        put(json, "http.response.MBps", decimal(responseBytes / MB / seconds));
        put(json, "http.response.error.count", Long.toString(operations - ok));
        put(
                json,
                "http.response.latency.millis.min",
                Long.toString(responses == 0 ? 0 : latencyMin));
        put(
                json,
                "http.response.latency.millis.avg",
                Long.toString(latencySum / Math.max(1, responses)));
        put(json, "http.response.latency.millis.max", Long.toString(latencyMax));
        json.append("  \"http.response.code.counts\": {");
        String separator = "\n";
        for (Map.Entry<Integer, Long> each : codes.entrySet()) {
            json.append(separator).append("    \"").append(each.getKey()).append("\": ");
            json.append(each.getValue());
            separator = ",\n";
        }
        json.append(codes.isEmpty() ? "" : "\n  ").append("}\n}");
        return json.toString();
    }

    private static void put(StringBuilder json, String name, String value) {
        json.append("  \"").append(name).append("\": ").append(value).append(",\n");
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
