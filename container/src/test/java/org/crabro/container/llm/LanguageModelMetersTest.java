package org.crabro.container.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.component.LanguageModel;
import org.crabro.component.LanguageModelException;
import org.crabro.component.ModelRequest;
import org.crabro.component.QueryError;
import org.crabro.protocol.wire.CancellationToken;
import org.junit.jupiter.api.Test;

class LanguageModelMetersTest {
    private final AtomicLong now = new AtomicLong(7);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LanguageModelMeters meters = new LanguageModelMeters(registry, now::get);
    private final ModelCalls calls =
            new ModelCalls(LanguageModelSettings.DEFAULT.withCalls(2, 100), now::get, meters);

    @Test
    void timesACallUntilItsFirstPartAndItsEnd() throws Exception {
        end((_, parts) -> {
            now.addAndGet(TimeUnit.MILLISECONDS.toNanos(5));
            parts.accept("a");
            now.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
            parts.accept("b");
        });

        assertThat(counter("language_model.requests")).isEqualTo(1);
        assertThat(millis("language_model.first_token_latency")).isEqualTo(5);
        assertThat(millis("language_model.latency")).isEqualTo(15);
        assertThat(registry.find("language_model.failures").counters()).isEmpty();
    }

    @Test
    void showsTheCallsInFlight() throws Exception {
        var gate = new CountDownLatch(1);

        ModelCall call = calls.start(new NamedModel("writer", (_, _) -> gate.await()), request());

        assertThat(inFlight()).isEqualTo(1);
        gate.countDown();
        assertThat(call.next(CancellationToken.NONE))
                .contains(new ModelEvent.Complete(Optional.empty()));
        await().untilAsserted(() -> assertThat(inFlight()).isZero());
    }

    @Test
    void countsFailuresByKind() throws Exception {
        end((_, _) -> {
            throw new LanguageModelException(QueryError.Kind.UNAVAILABLE, "away");
        });
        end((_, parts) -> {
            parts.accept("a");
            throw new IllegalStateException("broken");
        });

        assertThat(failures("unavailable")).isEqualTo(1);
        assertThat(failures("failed")).isEqualTo(1);
        assertThat(counter("language_model.requests")).isEqualTo(2);
    }

    @Test
    void countsACallThatIsNotCompleteAtItsDeadline() throws Exception {
        ModelCall call =
                calls.start(
                        new NamedModel("writer", (_, _) -> new CountDownLatch(1).await()),
                        new ModelRequest(
                                "a", Map.of(), Optional.empty(), Duration.ofMillis(1), true));

        assertThat(call.next(CancellationToken.NONE).orElseThrow())
                .isInstanceOf(ModelEvent.Failed.class);

        await().untilAsserted(() -> assertThat(failures("timed_out")).isEqualTo(1));
    }

    @Test
    void countsACallWhoseClientHasLeft() throws Exception {
        ModelCall call =
                calls.start(
                        new NamedModel("writer", (_, _) -> new CountDownLatch(1).await()),
                        request());

        assertThat(call.next(() -> true)).isEmpty();

        await().untilAsserted(() -> assertThat(failures("disconnected")).isEqualTo(1));
        assertThat(inFlight()).isZero();
    }

    @Test
    void countsCallsThatAreRefused() throws Exception {
        var none =
                new ModelCalls(LanguageModelSettings.DEFAULT.withCalls(0, 100), now::get, meters);

        assertThatExceptionOfType(LanguageModelException.class)
                .isThrownBy(() -> none.start(new NamedModel("writer", (_, _) -> {}), request()));

        assertThat(counter("language_model.requests")).isEqualTo(1);
        assertThat(failures("overloaded")).isEqualTo(1);
        assertThat(inFlight()).isZero();
    }

    @Test
    void countsTokensByType() {
        meters.tokens("writer", new ChatReply.Usage(5, 2));
        meters.tokens("writer", new ChatReply.Usage(7, 0));

        assertThat(tokens("prompt")).isEqualTo(12);
        assertThat(tokens("completion")).isEqualTo(2);
    }

    @Test
    void manyModelsShareTheMetersOfTheOthers() {
        for (int i = 0; i < LanguageModelMeters.MODELS_MAX + 3; i++) {
            meters.refused("m" + i, QueryError.Kind.OVERLOADED);
        }

        assertThat(
                        registry.get("language_model.requests")
                                .tag("model", LanguageModelMeters.OTHERS)
                                .counter()
                                .count())
                .isEqualTo(3);
    }

    /** Runs a call to its end. */
    private void end(LanguageModel model) throws InterruptedException {
        ModelCall call = calls.start(new NamedModel("writer", model), request());
        ModelEvent event;
        do {
            event = call.next(CancellationToken.NONE).orElseThrow();
        } while (event instanceof ModelEvent.Part);
        await().until(() -> calls.inFlight() == 0);
    }

    private static ModelRequest request() {
        return new ModelRequest("a", Map.of(), Optional.empty(), Duration.ofMinutes(1), true);
    }

    private double counter(String name) {
        return registry.get(name).tag("model", "writer").counter().count();
    }

    private double failures(String kind) {
        return registry.find("language_model.failures").tag("kind", kind).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private double tokens(String type) {
        return registry.get("language_model.tokens").tag("type", type).counter().count();
    }

    private double inFlight() {
        return registry.get("language_model.in_flight").tag("model", "writer").gauge().value();
    }

    private double millis(String name) {
        return registry.get(name).tag("model", "writer").timer().totalTime(TimeUnit.MILLISECONDS);
    }
}
