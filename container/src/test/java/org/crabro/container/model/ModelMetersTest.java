package org.crabro.container.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ModelMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ModelMeters meters = ModelMeters.open(registry);

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void countsRunsByModelAndThreads() {
        meters.arrived("a");
        meters.arrived("a");
        meters.arrived("a");
        meters.arrived("b");
        assertThat(inFlight("a")).isEqualTo(3);

        meters.ended("a", 1, 5_000_000, 20_000_000);
        meters.ended("a", 8, 0, 10_000_000);
        meters.rejected("a");

        assertThat(inFlight("a")).isZero();
        assertThat(inFlight("b")).isEqualTo(1);
        assertThat(registry.get("model.runs").tags("model", "a", "threads", "1").counter().count())
                .isEqualTo(1);
        assertThat(registry.get("model.runs").tags("model", "a", "threads", "8").counter().count())
                .isEqualTo(1);
        assertThat(registry.get("model.rejected_runs").tags("model", "a").counter().count())
                .isEqualTo(1);
        assertThat(
                        registry.get("model.queue_latency")
                                .tags("model", "a")
                                .timer()
                                .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(5);
        assertThat(
                        registry.get("model.run_latency")
                                .tags("model", "a")
                                .timer()
                                .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(30);
    }

    @Test
    void manyModelsShareMeters() {
        for (int i = 0; i < ModelMeters.MODELS_MAX + 10; i++) {
            meters.arrived("model" + i);
            meters.ended("model" + i, 1, 0, 1);
        }

        assertThat(registry.find("model.in_flight").gauges())
                .hasSizeBetween(ModelMeters.MODELS_MAX, ModelMeters.MODELS_MAX + 1);
        assertThat(
                        registry.get("model.runs")
                                .tags(Tags.of("model", ModelMeters.OTHERS, "threads", "1"))
                                .counter()
                                .count())
                .isEqualTo(10);
    }

    private double inFlight(String model) {
        return registry.get("model.in_flight").tags("model", model).gauge().value();
    }
}
