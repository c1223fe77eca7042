package org.crabro.container.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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

    @Test
    void returnsThePartsInOrder() throws Exception {
        ModelCalls calls = calls(1, 10);

        ModelCall call =
                calls.start(
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
                        new ModelEvent.Complete());
    }

    @Test
    void rejectsCallsBeyondTheLimit() throws Exception {
        ModelCalls calls = calls(1, 10);
        ModelCall first = calls.start(WAITING, request("a"));

        assertThatThrownBy(() -> calls.start(WAITING, request("b")))
                .isInstanceOfSatisfying(
                        LanguageModelException.class,
                        e -> {
                            assertThat(e.error().kind()).isEqualTo(QueryError.Kind.OVERLOADED);
                            assertThat(e).hasMessageContaining("search.models.maxInFlight");
                        });
        assertThat(calls.inFlight()).isEqualTo(1);

        first.close();
        await().until(() -> calls.inFlight() == 0);
        calls.start(WAITING, request("c")).close();
    }

    @Test
    void limitsTheCallsOfAMinute() throws Exception {
        ModelCalls calls = calls(10, 2);
        LanguageModel nothing = (_, _) -> {};
        calls.start(nothing, request("a"));
        calls.start(nothing, request("b"));

        assertThatThrownBy(() -> calls.start(nothing, request("c")))
                .hasMessageContaining("search.models.maxPerMinute");
        await().until(() -> calls.inFlight() == 0);

        now.addAndGet(TimeUnit.SECONDS.toNanos(30));
        calls.start(nothing, request("d"));
        assertThatThrownBy(() -> calls.start(nothing, request("e")))
                .isInstanceOf(LanguageModelException.class);
    }

    @Test
    void stopsTheModelWhenTheClientDisconnects() throws Exception {
        ModelCalls calls = calls(1, 10);
        var interrupted = new CountDownLatch(1);
        ModelCall call =
                calls.start(
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
                calls.start(
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
        calls.start(
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

        assertThat(events(calls.start(busy, request("a"))).getLast())
                .isEqualTo(
                        new ModelEvent.Failed(new QueryError(QueryError.Kind.OVERLOADED, "busy")));
        assertThat(events(calls.start(broken, request("a"))).getLast().toString())
                .contains("FAILED", "IllegalStateException")
                .doesNotContain("secret");
    }

    @Test
    void boundsPromptsAndAnswers() throws Exception {
        var settings =
                new LanguageModelSettings(
                        1,
                        10,
                        Duration.ofMinutes(1),
                        new LanguageModelSettings.Size(4, 6));
        var calls = new ModelCalls(settings, now::get);
        LanguageModel talkative =
                (_, parts) -> {
                    parts.accept("ééé");
                    parts.accept("x");
                };

        assertThatThrownBy(() -> calls.start(talkative, request("ééé")))
                .hasMessageContaining("the prompt has 6 bytes; at most 4 are allowed");
        assertThat(events(calls.start(talkative, request("abcd"))).getLast().toString())
                .contains("more than 6 bytes (search.models.maxAnswerBytes)");
    }

    private ModelCalls calls(int inFlight, int perMinute) {
        return new ModelCalls(
                LanguageModelSettings.DEFAULT.withCalls(inFlight, perMinute), now::get);
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
