package org.crabro.container.http;

import java.time.Instant;
import java.util.List;

/**
 * All metrics at one moment.
 *
 * @param from begin of the interval of counts and averages
 * @param to its end; equals {@code from} before the first interval has ended
 * @param taken time of this snapshot, and of the values {@code last}
 * @param metrics sorted by name
 */
record MetricSnapshot(Instant from, Instant to, Instant taken, List<Metric> metrics) {
    MetricSnapshot {
        metrics = List.copyOf(metrics);
    }
}
