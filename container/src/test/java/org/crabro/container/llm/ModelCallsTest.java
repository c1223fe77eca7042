package org.crabro.container.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.component.LanguageModel;
import org.crabro.component.LanguageModelException;
import org.crabro.component.ModelRequest;
import org.crabro.component.QueryError;
import org.crabro.protocol.wire.CancellationToken;
import org.junit.jupiter.api.Test;

class ModelCallsTest {
    private static final LanguageModel WAITING =
            (_, parts) -> {
                parts.accept("begun");
                new CountDownLatch(1).await();
            };

    private final AtomicLong now = new AtomicLong(7);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LanguageModelMeters meters = new LanguageModelMeters(registry, now::get);

    @Test
    void returnsThePartsInOrder() throws Exception {
        ModelCalls calls = calls(1, 10);

        ModelCall call =
                start(
                        calls,
                        (request, parts) -> {
                            parts.accept(request.prompt());
                            parts.accept("");
                            parts.accept("b");
                        },
                        request("a"));

        assertThat(events(call))
                .containsExactly(
                        new ModelEvent.Part("a"),
                        new ModelEvent.Part("b"),
                        new ModelEvent.Complete(Optional.empty()));
    }

    @Test
    void rejectsCallsBeyondTheLimit() throws Exception {
        ModelCalls calls = calls(1, 10);
        ModelCall first = start(calls, WAITING, request("a"));

        assertThatThrownBy(() -> start(calls, WAITING, request("b")))
                .isInstanceOfSatisfying(
                        LanguageModelException.class,
                        e -> {
                            assertThat(e.error().kind()).isEqualTo(QueryError.Kind.OVERLOADED);
                            assertThat(e).hasMessageContaining("search.models.maxInFlight");
                        });
        assertThat(calls.inFlight()).isEqualTo(1);

        first.close();
        await().until(() -> calls.inFlight() == 0);
        start(calls, WAITING, request("c")).close();
    }

    @Test
    void limitsTheCallsOfAMinute() throws Exception {
        ModelCalls calls = calls(10, 2);
        LanguageModel nothing = (_, _) -> {};
        start(calls, nothing, request("a"));
        start(calls, nothing, request("b"));

        assertThatThrownBy(() -> start(calls, nothing, request("c")))
                .hasMessageContaining("search.models.maxPerMinute");
        await().until(() -> calls.inFlight() == 0);

        now.addAndGet(TimeUnit.SECONDS.toNanos(30));
        start(calls, nothing, request("d"));
        assertThatThrownBy(() -> start(calls, nothing, request("e")))
                .isInstanceOf(LanguageModelException.class);
    }

    @Test
    void stopsTheModelWhenTheClientDisconnects() throws Exception {
        ModelCalls calls = calls(1, 10);
        var interrupted = new CountDownLatch(1);
        ModelCall call =
                start(
                        calls,
                        (_, parts) -> {
                            parts.accept("begun");
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                interrupted.countDown();
                                throw e;
                            }
                        },
                        request("a"));
        var isGone = new AtomicBoolean();

        assertThat(call.next(isGone::get)).contains(new ModelEvent.Part("begun"));
        isGone.set(true);

        assertThat(call.next(isGone::get)).isEmpty();
        assertThat(interrupted.await(1, TimeUnit.MINUTES)).isTrue();
        await().until(() -> calls.inFlight() == 0);
    }

    @Test
    void endsAtItsDeadline() throws Exception {
        ModelCalls calls = calls(1, 10);
        ModelCall call =
                start(
                        calls,
                        WAITING,
                        new ModelRequest(
                                "a", Map.of(), Optional.empty(), Duration.ofMillis(30), true));

        List<ModelEvent> events = events(call);

        assertThat(events.getLast())
                .isEqualTo(
                        new ModelEvent.Failed(
                                new QueryError(
                                        QueryError.Kind.TIMED_OUT,
                                        "the language model did not end within 30 ms")));
        await().until(() -> calls.inFlight() == 0);
    }

    @Test
    void aModelWaitsForASlowReaderUntilItsDeadline() throws Exception {
        ModelCalls calls = calls(1, 10);
        start(
                calls,
                (_, parts) -> {
                    for (int i = 0; i < 1_000; i++) {
                        parts.accept("x");
                    }
                },
                new ModelRequest("a", Map.of(), Optional.empty(), Duration.ofMillis(30), true));

        await().until(() -> calls.inFlight() == 0);
    }

    @Test
    void endsWithTheErrorOfTheModel() throws Exception {
        ModelCalls calls = calls(3, 10);
        LanguageModel busy =
                (_, parts) -> {
                    parts.accept("a");
                    throw new LanguageModelException(QueryError.Kind.OVERLOADED, "busy");
                };
        LanguageModel broken =
                (_, _) -> {
                    throw new IllegalStateException("a secret of the inside");
                };

        assertThat(events(start(calls, busy, request("a"))).getLast())
                .isEqualTo(
                        new ModelEvent.Failed(new QueryError(QueryError.Kind.OVERLOADED, "busy")));
        assertThat(events(start(calls, broken, request("a"))).getLast().toString())
                .contains("FAILED", "IllegalStateException")
                .doesNotContain("secret");
    }

    @Test
    void boundsPromptsAndAnswers() throws Exception {
        var settings =
                new LanguageModelSettings(
                        1, 10, Duration.ofMinutes(1), new LanguageModelSettings.Size(4, 6));
        var calls = new ModelCalls(settings, now::get, meters);
        LanguageModel talkative =
                (_, parts) -> {
                    parts.accept("ééé");
                    parts.accept("x");
                };

        assertThatThrownBy(() -> start(calls, talkative, request("ééé")))
                .hasMessageContaining("the prompt has 6 bytes; at most 4 are allowed");
        assertThat(events(start(calls, talkative, request("abcd"))).getLast().toString())
                .contains("more than 6 bytes (search.models.maxAnswerBytes)");
    }

    /** The queue of parts is full at the deadline, and the model ignores that. */
    @Test
    void aTextThatIsCutAtTheDeadlineIsNotComplete() throws Exception {
        ModelCalls calls = calls(1, 10);
        var isCut = new CountDownLatch(1);
        ModelCall call =
                start(
                        calls,
                        (_, parts) -> {
                            try {
                                for (int i = 0; i < 1_000; i++) {
                                    parts.accept("x");
                                }
                            } catch (RuntimeException _) {
                                isCut.countDown();
                            }
                        },
                        new ModelRequest(
                                "a", Map.of(), Optional.empty(), Duration.ofMillis(30), true));
        assertThat(isCut.await(1, TimeUnit.MINUTES)).isTrue();

        List<ModelEvent> events = events(call);

        assertThat(events).hasSizeLessThan(1_000);
        assertThat(events.getLast())
                .isEqualTo(
                        new ModelEvent.Failed(
                                new QueryError(
                                        QueryError.Kind.TIMED_OUT,
                                        "the language model did not end within 30 ms")));
    }

    private ModelCalls calls(int inFlight, int perMinute) {
        return new ModelCalls(
                LanguageModelSettings.DEFAULT.withCalls(inFlight, perMinute), now::get, meters);
    }

    private static ModelCall start(ModelCalls calls, LanguageModel model, ModelRequest request) {
        return calls.start(new NamedModel("writer", model), request);
    }

    private static ModelRequest request(String prompt) {
        return new ModelRequest(prompt, Map.of(), Optional.empty(), Duration.ofMinutes(1), true);
    }

    private static List<ModelEvent> events(ModelCall call) throws InterruptedException {
        var events = new ArrayList<ModelEvent>();
        do {
            events.add(call.next(CancellationToken.NONE).orElseThrow());
        } while (events.getLast() instanceof ModelEvent.Part);
        return events;
    }
}
