package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricHistoryTest {
    private final MetricHistory history = new MetricHistory();

    private void add(long seconds, Metric... metrics) {
        Instant end = Instant.ofEpochSecond(seconds);
        history.add(new MetricSnapshot(end.minusSeconds(60), end, end, List.of(metrics)));
    }

    private String json() {
        return new String(JsonReply.bytes(history::write), StandardCharsets.UTF_8);
    }

    private static Metric metric(String name, String operation, Map<String, Double> values) {
        return new Metric(name, Map.of("operation", operation), values);
    }

    @Test
    void mergesMetricsThatDifferInTheirDimensions() {
        add(
                60,
                metric("feed.operations", "put", Map.of("rate", 2.0)),
                metric("feed.operations", "remove", Map.of("rate", 3.0)),
                metric(
                        "feed.latency",
                        "put",
                        Map.of("count", 3.0, "sum", 6.0, "99percentile", 4.0)),
                metric(
                        "feed.latency",
                        "remove",
                        Map.of("count", 1.0, "sum", 10.0, "99percentile", 9.0)));

        assertThat(json())
                .startsWith("{\"times\":[60.0],")
                .contains(
                        "{\"plot\":\"Writes\",\"name\":\"all\",\"unit\":\"per second\",\"values\":[5.0]}",
                        "{\"plot\":\"Latency of writes\",\"name\":\"mean\",\"unit\":\"ms\",\"values\":[4.0]}",
                        "{\"plot\":\"Latency of writes\",\"name\":\"99 %\",\"unit\":\"ms\",\"values\":[9.0]}",
                        "{\"plot\":\"Heap\",\"name\":\"used\",\"unit\":\"bytes\",\"values\":[null]}");
    }

    @Test
    void keepsTheLastHour() {
        for (int minute = 1; minute <= MetricHistory.INTERVALS_MAX + 1; minute++) {
            add(minute * 60L, metric("queries", "", Map.of("rate", (double) minute)));
        }

        assertThat(json())
                .startsWith("{\"times\":[120.0,180.0,")
                .contains("3660.0],\"curves\":[{\"plot\":\"Queries\",\"name\":\"all\"")
                .contains("\"values\":[2.0,3.0,");
    }
}
