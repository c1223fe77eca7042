package org.crabro.container.search;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and times queries, and logs the slow ones. */
final class SearchMetrics {
    /** One line for each slow query, without data of users. */
    private static final Logger SLOW = LoggerFactory.getLogger("slow-queries");

    private final Duration slow;
    private final Timer latency;
    private final Counter queries;
    private final Counter failed;
    private final Counter degraded;

    /**
     * @param slow queries that take longer are logged
     * @param registry gets {@code queries}, {@code failed_queries}, {@code degraded_queries} and
     *     {@code query_latency}
     */
    SearchMetrics(Duration slow, MeterRegistry registry) {
        this.slow = slow;
        this.latency = Timer.builder("query_latency").register(registry);
        this.queries = Counter.builder("queries").register(registry);
        this.failed = Counter.builder("failed_queries").register(registry);
        this.degraded = Counter.builder("degraded_queries").register(registry);
    }

    void count(SearchResult result, Duration taken) {
        if (taken.compareTo(slow) > 0) {
            SLOW.info(
                    "{} ms, status {}, {} hits of {}, {}",
                    taken.toMillis(),
                    result.status(),
                    result.page().hits().size(),
                    result.page().totalCount(),
                    result.cost());
        }
        queries.increment();
        latency.record(taken);
        if (result.status() >= 400) {
            failed.increment();
        } else if (result.coverage().filter(coverage -> !coverage.isFull()).isPresent()) {
            degraded.increment();
        }
    }
}
