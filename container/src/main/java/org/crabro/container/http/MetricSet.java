package org.crabro.container.http;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Sets of metrics; a {@code consumer} names its set. */
enum MetricSet {
    /** The metrics for a dashboard and its alerts. */
    DEFAULT,
    /** All metrics. */
    VESPA;

    /** Names of metrics; a name with a dot at its end stands for all names with this prefix. */
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
     * Returns the set of a consumer; the default set for none and for an unknown one. Consumers in
     * packages are not read.
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
