package org.crabro.container.http;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/**
 * The values of some metrics in the last hour, one per minute, in memory: at most {@value
 * #INTERVALS_MAX} values of each curve. The oldest are dropped first. Safe for use by many threads.
 */
public final class MetricHistory {
    static final int INTERVALS_MAX = 60;

    private final ArrayDeque<Interval> intervals = new ArrayDeque<>();

    /** How metrics that differ in their dimensions become one value. */
    private enum Merge {
        SUM,
        MAX,
        /** The sum of all divided by their count. */
        MEAN
    }

    /**
     * A curve.
     *
     * @param plot curves of the same plot share an axis
     * @param suffix of the metric; not used for means
     */
    private record Curve(
            String plot, String name, String unit, String metric, String suffix, Merge merge) {
        /** Returns the value; NaN if there is no such metric. */
        double of(List<Metric> metrics) {
            if (metrics.isEmpty()) {
                return Double.NaN;
            }
            return switch (merge) {
                case SUM -> sum(metrics, suffix);
                case MAX ->
                        metrics.stream()
                                .mapToDouble(metric -> metric.value(suffix))
                                .max()
                                .orElseThrow();
                case MEAN -> {
                    double count = sum(metrics, "count");
                    yield count == 0 ? Double.NaN : sum(metrics, "sum") / count;
                }
            };
        }

        private static double sum(List<Metric> metrics, String suffix) {
            return metrics.stream().mapToDouble(metric -> metric.value(suffix)).sum();
        }
    }

    private static Curve rate(String plot, String name, String metric) {
        return new Curve(plot, name, "per second", metric, "rate", Merge.SUM);
    }

    private static Curve largest(String plot, String name, String unit, String metric, String of) {
        return new Curve(plot, name, unit, metric, of, Merge.MAX);
    }

    private static Curve mean(String plot, String name, String unit, String metric) {
        return new Curve(plot, name, unit, metric, "average", Merge.MEAN);
    }

    private static final List<Curve> CURVES =
            List.of(
                    rate("Queries", "all", "queries"),
                    rate("Queries", "failed", "failed_queries"),
                    rate("Queries", "degraded", "degraded_queries"),
                    mean("Latency of queries", "mean", "ms", "query_latency"),
                    largest("Latency of queries", "95 %", "ms", "query_latency", "95percentile"),
                    largest("Latency of queries", "99 %", "ms", "query_latency", "99percentile"),
                    rate("Writes", "all", "feed.operations"),
                    mean("Latency of writes", "mean", "ms", "feed.latency"),
                    largest("Latency of writes", "99 %", "ms", "feed.latency", "99percentile"),
                    rate("HTTP requests", "2xx", "http.status.2xx"),
                    rate("HTTP requests", "4xx", "http.status.4xx"),
                    rate("HTTP requests", "5xx", "http.status.5xx"),
                    new Curve(
                            "Documents",
                            "all types",
                            "documents",
                            "content.proton.documentdb.documents.total",
                            "last",
                            Merge.SUM),
                    largest("Heap", "used", "bytes", "mem.heap.used", "max"),
                    new Curve(
                            "Garbage collection",
                            "time",
                            "ms per minute",
                            "jdisc.gc.ms",
                            "count",
                            Merge.SUM),
                    largest(
                            "Resources",
                            "disk",
                            "share",
                            "content.proton.resource_usage.disk",
                            "max"),
                    largest(
                            "Resources",
                            "memory",
                            "share",
                            "content.proton.resource_usage.memory",
                            "max"),
                    largest("Waiting", "searches", "count", "content.search.waiting", "max"),
                    largest("Waiting", "visits", "count", "visits.partitions", "max"));

    private record Interval(long endMillis, List<Double> values) {
        Interval {
            values = List.copyOf(values);
        }
    }

    /** Adds the values of an interval that is complete. */
    synchronized void add(MetricSnapshot snapshot) {
        Map<String, List<Metric>> byName =
                snapshot.metrics().stream().collect(Collectors.groupingBy(Metric::name));
        List<Double> values =
                CURVES.stream()
                        .map(curve -> curve.of(byName.getOrDefault(curve.metric(), List.of())))
                        .toList();
        intervals.add(new Interval(snapshot.to().toEpochMilli(), values));
        if (intervals.size() > INTERVALS_MAX) {
            intervals.remove();
        }
    }

    private synchronized List<Interval> copy() {
        return List.copyOf(intervals);
    }

    /** Writes times in seconds since 1970, and the values of each curve, null for none. */
    public void write(JsonGenerator json) {
        List<Interval> all = copy();
        json.writeStartObject();
        json.writeArrayPropertyStart("times");
        all.forEach(interval -> json.writeNumber(interval.endMillis() / 1000.0));
        json.writeEndArray();
        json.writeArrayPropertyStart("curves");
        for (int i = 0; i < CURVES.size(); i++) {
            Curve curve = CURVES.get(i);
            json.writeStartObject();
            json.writeStringProperty("plot", curve.plot());
            json.writeStringProperty("name", curve.name());
            json.writeStringProperty("unit", curve.unit());
            json.writeArrayPropertyStart("values");
            for (Interval interval : all) {
                double value = interval.values().get(i);
                if (Double.isNaN(value)) {
                    json.writeNull();
                } else {
                    json.writeNumber(value);
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
