package org.crabro.client.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class LoadReportTest {

    /** 1,000 latencies from 1 to 1,000 ms in two intervals, and a failure. */
    private static LoadResult result(OptionalDouble rate) {
        var histogram = new Histogram(3);
        for (int millis = 1; millis <= 1_000; millis++) {
            histogram.recordValue(millis * 1_000L);
        }
        return new LoadResult(
                new LoadSettings(4, rate, Duration.ZERO, Duration.ZERO, 0, Duration.ofSeconds(2)),
                Duration.ofSeconds(2),
                new LoadResult.Counts(1_001, 1, 3, 0),
                new LoadResult.Items("hits", 2_500, 9_000),
                new LoadResult.Breakdown(
                        new TreeMap<>(Map.of(200, 1_000L, 0, 1L)),
                        new TreeMap<>(Map.of("connection refused", 1L))),
                new Latencies(
                        histogram,
                        List.of(
                                new LoadResult.Interval(0, 600, 300, 990),
                                new LoadResult.Interval(1, 401, 700, 1_000))));
    }

    @Test
    void printsATable() {
        assertThat(LoadReport.lines(result(OptionalDouble.empty())))
                .containsSubsequence(
                        "requests             1,001 in 2.0 s, 500.5/s, closed loop of 4 clients",
                        "failed               1",
                        "without hits         3",
                        "hits                 2,500, 1,250.0/s",
                        "bytes                9,000",
                        "no answer            1",
                        "status 200           1,000",
                        "connection refused: 1",
                        "",
                        "smallest             1.000 ms")
                .anyMatch(line -> line.matches("50 % +500\\.\\d{3} ms"))
                .anyMatch(line -> line.matches("99\\.9 % +99\\d\\.\\d{3} ms"));
        assertThat(LoadReport.lines(result(OptionalDouble.of(500))).getFirst())
                .endsWith("open loop of 500/s, at most 4 clients");
    }

    @Test
    void printsTheProgressOfAPart() {
        var before = new LoadProgress(1_000, 1);
        var now = new LoadProgress(3_000, 2);

        assertThat(LoadReport.progress(10, before, now, 5))
                .isEqualTo("10 s: 3,000 requests, 400.0/s, 2 failed");
    }

    @Test
    void writesJson() {
        JsonNode json = LoadReport.json(result(OptionalDouble.of(500)));

        assertThat(json.path("requests").asLong()).isEqualTo(1_001);
        assertThat(json.path("failed").asLong()).isEqualTo(1);
        assertThat(json.path("intendedRate").asDouble()).isEqualTo(500);
        assertThat(json.path("hits").asLong()).isEqualTo(2_500);
        assertThat(json.path("statuses").path("200").asLong()).isEqualTo(1_000);
        assertThat(json.path("notes").path("connection refused").asLong()).isEqualTo(1);
        assertThat(json.path("latencyMillis").path("p50").asDouble()).isBetween(499.0, 501.0);
        assertThat(json.path("intervals").get(1).path("rate").asDouble()).isEqualTo(401);
    }

    /** Each curve is inside its panel, and falls or rises as its values do. */
    @Test
    void drawsThreePanels() throws Exception {
        String svg = LoadPlot.svg(result(OptionalDouble.empty()));

        var document =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        var curves = document.getElementsByTagName("polyline");
        assertThat(curves.getLength()).isEqualTo(4);
        for (int i = 0; i < curves.getLength(); i++) {
            String points = curves.item(i).getAttributes().getNamedItem("points").getNodeValue();
            double[] heights =
                    List.of(points.split(" ", -1)).stream()
                            .mapToDouble(point -> Double.parseDouble(point.split(",", -1)[1]))
                            .toArray();
            // The second curve is the rate, which falls; y grows downwards.
            boolean isFalling = i == 1;
            assertThat(heights[heights.length - 1] > heights[0])
                    .as("curve %d: %s", i, points)
                    .isEqualTo(isFalling);
        }
    }
}
