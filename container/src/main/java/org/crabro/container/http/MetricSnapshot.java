package org.crabro.container.http;

import java.time.Instant;
import java.util.List;

/**
 * All metrics at one moment.
 *
 * @param from when the interval began that counts and averages are of
 * @param to when it ended; the same as {@code from} as long as none has
 * @param taken when this was asked for, which is what {@code last} is of
 * @param metrics sorted by name
 */
record MetricSnapshot(Instant from, Instant to, Instant taken, List<Metric> metrics) {
    MetricSnapshot {
        metrics = List.copyOf(metrics);
    }
}
