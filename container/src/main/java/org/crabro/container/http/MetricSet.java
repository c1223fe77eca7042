package org.crabro.container.http;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which metrics are told to whom: a {@code consumer} names its set. */
enum MetricSet {
    /** What a dashboard and its alarms need. */
    DEFAULT,
    /** Everything. */
    VESPA;

    /** Names of metrics; with a dot at the end, everything that begins so. */
    private static final List<String> SMALL =
            List.of(
                    "cluster-controller.",
                    "content.proton.",
                    "degraded_queries",
                    "failed_queries",
                    "feed.",
                    "http.status.",
                    "jdisc.gc.",
                    "mem.heap.used",
                    "queries",
                    "query_latency",
                    "reindexing.",
                    "vds.");

    /**
     * Returns the set of a consumer; the default one for none, and for one that nobody knows: a
     * package may name consumers, which are not read.
     */
    static MetricSet of(@Nullable String consumer) {
        return consumer != null && consumer.toLowerCase(Locale.ROOT).equals("vespa")
                ? VESPA
                : DEFAULT;
    }

    boolean has(String metric) {
        return switch (this) {
            case VESPA -> true;
            case DEFAULT ->
                    SMALL.stream()
                            .anyMatch(name ->
                                    name.endsWith(".")
                                            ? metric.startsWith(name)
                                            : metric.equals(name));
        };
    }
}
