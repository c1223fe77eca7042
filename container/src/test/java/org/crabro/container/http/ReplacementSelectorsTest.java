package org.crabro.container.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplacementSelectorsTest {
    private final LinkedBlockingQueue<Runnable> sent = new LinkedBlockingQueue<>();
    private final Executor threads = sent::add;
    private final ReplacementSelectors replacements =
            new ReplacementSelectors(threads, 2, "watch", ReplacementSelectors.LONE_TICK);
    private final Runnable first = new Selecting(1);
    private final Runnable second = new Selecting(2);

    private record Selecting(int number) implements Runnable {
        @Override
        public void run() {}
    }

    ReplacementSelectorsTest() {
        replacements.state(0).open(first, () -> 1);
        replacements.state(1).open(second, () -> 2);
    }

    @AfterEach
    void close() {
        replacements.close();
    }

    @Test
    void sendsOneForEachThatDoesNotComeBack() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(replacements.tryExecute(first)).isTrue();
            assertThat(next()).isSameAs(first);
            assertThat(replacements.tryExecute(second)).isTrue();
            assertThat(replacements.tryExecute(first)).isTrue();
            assertThat(next()).isNotSameAs(next());
        }
        assertThat(sent).isEmpty();
    }

    @Test
    void promisesNothingToWhomItDoesNotKnow() throws Exception {
        assertThat(replacements.tryExecute(() -> {})).isFalse();

        assertThat(replacements.tryExecute(first)).isTrue();
        assertThat(next()).isSameAs(first);
        assertThat(sent).isEmpty();
    }

    @Test
    void goesOnWhereAThreadCouldNotBeHad() throws Exception {
        var asked = new LinkedBlockingQueue<Runnable>();
        Executor exhausted =
                task -> {
                    asked.add(task);
                    if (task.equals(first)) {
                        throw new OutOfMemoryError("no thread");
                    }
                };
        try (var others =
                new ReplacementSelectors(exhausted, 2, "other", ReplacementSelectors.LONE_TICK)) {
            others.state(0).open(first, () -> 1);
            others.state(1).open(second, () -> 1);
            assertThat(others.tryExecute(first)).isTrue();
            assertThat(asked.poll(30, TimeUnit.SECONDS)).isSameAs(first);
            assertThat(others.tryExecute(second)).isTrue();

            assertThat(asked.poll(30, TimeUnit.SECONDS)).isSameAs(second);
        }
    }

    /** With a watch that looks at lone connections once an hour. */
    @Test
    void sendsOneWhereSeveralTakeTurnsOrSomebodyAsks() throws Exception {
        try (var patient = new ReplacementSelectors(threads, 2, "patient", Duration.ofHours(1))) {
            ReplacementSelectors.SelectorState lone = patient.state(0);
            lone.open(first, () -> 1);
            assertThat(patient.tryExecute(first)).isTrue();
            lone.requestSelectionByOthers();
            assertThat(sent).isEmpty();
            Thread.ofPlatform().start(lone::requestSelectionByOthers).join();
            assertThat(next()).isSameAs(first);

            lone.select();
            assertThat(patient.tryExecute(first)).isTrue();
            lone.requestSelection();
            assertThat(next()).isSameAs(first);
        }
        try (var patient = new ReplacementSelectors(threads, 2, "patient", Duration.ofHours(1))) {
            patient.state(0).open(first, () -> 2);
            assertThat(patient.tryExecute(first)).isTrue();

            assertThat(next()).isSameAs(first);
        }
    }

    private Runnable next() throws InterruptedException {
        Runnable task = sent.poll(30, TimeUnit.SECONDS);
        assertThat(task).as("nobody was sent").isNotNull();
        return task;
    }
}
