package org.crabro.container.http.second;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SecondHistoryTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final AtomicLong now = new AtomicLong(0);
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final SecondHistory history =
            new SecondHistory(registry, () -> Instant.ofEpochMilli(now.get()));

    private void sampleAt(long millis) {
        now.set(millis);
        history.sample();
    }

    private JsonNode json(double after) {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            history.write(json, after);
        }
        return JSON.readTree(text.toString());
    }

    private String values(String plot, String name) {
        for (JsonNode curve : json(0).get("curves")) {
            if (curve.get("plot").asString().equals(plot)
                    && curve.get("name").asString().equals(name)) {
                return curve.get("values").toString();
            }
        }
        throw new AssertionError("no curve " + plot + ", " + name);
    }

    @Test
    void countsWhatWasDoneSinceTheSampleBefore() {
        Counter queries = registry.counter("queries");
        queries.increment(3);
        sampleAt(1_000);
        queries.increment(4);
        registry.counter("queries", "chain", "other").increment(2);
        sampleAt(3_000);
        sampleAt(4_000);

        assertThat(json(0).get("times").toString()).isEqualTo("[1.0,3.0,4.0]");
        assertThat(values("Queries", "all")).isEqualTo("[3.0,3.0,0.0]");
        assertThat(values("Queries", "failed")).isEqualTo("[0.0,0.0,0.0]");
    }

    @Test
    void showsTheMeanOfTimesAndNothingWithoutAny() {
        Timer latency = Timer.builder("query_latency").register(registry);
        latency.record(Duration.ofMillis(10));
        latency.record(Duration.ofMillis(20));
        sampleAt(1_000);
        sampleAt(2_000);
        latency.record(Duration.ofMillis(7));
        sampleAt(3_000);

        assertThat(values("Latency of queries", "mean")).isEqualTo("[15.0,null,7.0]");
    }

    @Test
    void addsGaugesThatDifferInTheirDimensions() {
        String name = "content.proton.documentdb.documents.total";
        Gauge.builder(name, () -> 5).tag("documenttype", "note").register(registry);
        Gauge.builder(name, () -> 7).tag("documenttype", "mail").register(registry);
        Gauge.builder(name, () -> Double.NaN).tag("documenttype", "none").register(registry);
        sampleAt(1_000);

        assertThat(values("Documents", "all types")).isEqualTo("[12.0]");
        assertThat(values("Heap", "used")).isEqualTo("[null]");
    }

    @Test
    void keepsTheLastHourOnly() {
        for (long second = 1; second <= SecondHistory.SAMPLES_MAX + 2; second++) {
            sampleAt(second * 1_000);
        }

        JsonNode times = json(0).get("times");
        assertThat(times.size()).isEqualTo(SecondHistory.SAMPLES_MAX);
        assertThat(times.get(0).asDouble()).isEqualTo(3.0);
        assertThat(json(SecondHistory.SAMPLES_MAX).get("times").toString())
                .isEqualTo("[3601.0,3602.0]");
        assertThat(json(1e300).get("times").size()).isZero();
    }

    /** A clock that goes back makes no sample, and no negative rates. */
    @Test
    void waitsForAClockThatWentBack() {
        registry.counter("queries").increment();
        sampleAt(5_000);
        sampleAt(4_000);
        sampleAt(5_000);
        registry.counter("queries").increment(2);
        sampleAt(6_000);

        assertThat(json(0).get("times").toString()).isEqualTo("[5.0,6.0]");
        assertThat(values("Queries", "all")).isEqualTo("[0.2,2.0]");
    }
}
