package org.crabro.container.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class OperatorRunsTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void runsOneAtATimeAndKeepsTheLast() throws InterruptedException {
        var mayEnd = new CountDownLatch(1);
        var runs =
                new OperatorRuns<String, String>(
                        "test",
                        asked -> {
                            await(mayEnd);
                            return "did " + asked;
                        },
                        Throwable::toString);
        assertThat(runs.last()).isEmpty();

        var first = runs.begin("one").orElseThrow();

        assertThat(first.await(Duration.ZERO)).isEmpty();
        assertThat(runs.begin("two")).isEmpty();
        assertThat(runs.last()).contains(first);
        mayEnd.countDown();
        assertThat(first.await(LONG)).contains("did one");
        assertThat(runs.begin("three").orElseThrow().await(LONG)).contains("did three");
    }

    @Test
    void repliesToARunThatThrows() throws InterruptedException {
        var runs =
                new OperatorRuns<String, String>(
                        "test",
                        asked -> {
                            throw new IllegalStateException(asked);
                        },
                        e -> "failed: " + e.getMessage());

        assertThat(runs.begin("one").orElseThrow().await(LONG)).contains("failed: one");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
