package org.crabro.ranking.onnx.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class CorePolicyTest {
    private static final long SIZE = 100;
    private static final long MILLI = 1_000_000;

    private long now;
    private final CorePolicy policy = new CorePolicy(8, () -> now);

    @Test
    void aLoneRunUsesAllCores() {
        ThreadLevels model = measured();

        assertThat(threads(model, arrive(model))).isEqualTo(8);
    }

    @Test
    void theFirstRunsUseOneThreadAndThenTheHighestLevelIsLoaded() {
        ThreadLevels model = policy.levels(8);
        for (int i = 0; i < LevelTimes.SAMPLES; i++) {
            RunRequest request = arrive(model);
            assertThat(threads(model, request)).isEqualTo(1);
            assertThat(policy.startLoading(request)).isEmpty();
            end(request, 10 * MILLI);
        }

        RunRequest request = arrive(model);
        assertThat(threads(model, request)).isEqualTo(1);
        assertThat(policy.startLoading(request)).isEqualTo(OptionalInt.of(3));
        assertThat(policy.startLoading(request)).isEmpty();
        end(request, 10 * MILLI);
        policy.loaded(model, 3);

        now += 1_000 * MILLI;
        assertThat(threads(model, arrive(model))).isEqualTo(8);
    }

    @Test
    void shortRunsUseOneThreadAndNoOtherLevelIsLoaded() {
        ThreadLevels model = policy.levels(8);
        for (int i = 0; i < 10; i++) {
            RunRequest request = arrive(model);
            assertThat(threads(model, request)).isEqualTo(1);
            end(request, MILLI / 10);
            assertThat(policy.startLoading(request)).isEmpty();
        }
    }

    @Test
    void aLevelThatIsSlowerIsNotUsed() {
        ThreadLevels model = measured();
        for (int i = 0; i < LevelTimes.SAMPLES; i++) {
            model.times().add(2 * SIZE, 0, 8 * MILLI);
            model.times().add(2 * SIZE, 1, 5 * MILLI);
            model.times().add(2 * SIZE, 2, 4.8 * MILLI);
            model.times().add(2 * SIZE, 3, 9 * MILLI);
        }

        RunRequest request = policy.arrive(model, 2 * SIZE).orElseThrow();

        assertThat(threads(model, request)).isEqualTo(2);
    }

    @Test
    void aLevelThatWasSlowerIsTriedAgain() {
        var times = new LevelTimes(2);
        for (int i = 0; i < LevelTimes.SAMPLES; i++) {
            times.add(SIZE, 0, 5 * MILLI);
            times.add(SIZE, 1, 9 * MILLI);
        }
        for (int i = 1; i < LevelTimes.RETRY; i++) {
            assertThat(times.best(SIZE, _ -> true)).isZero();
        }
        assertThat(times.best(SIZE, _ -> true)).isEqualTo(1);
        assertThat(times.best(SIZE, _ -> true)).isZero();

        times.add(SIZE, 1, 3 * MILLI);
        assertThat(times.best(SIZE, _ -> true)).isEqualTo(1);
    }

    @Test
    void runsAreNarrowerTheMoreThereAre() {
        ThreadLevels model = measured();
        var threads = new ArrayList<Integer>();
        for (int clients = 1; clients <= 10; clients++) {
            threads.add(threadsOf(model, clients));
        }

        // Of 8 threads while at most 10 are needed, of 4 while at most 9 are, of 2 up to 8.
        assertThat(threads).containsExactly(8, 8, 8, 4, 4, 4, 2, 1, 1, 1);
    }

    /** Returns the threads of a run while {@code clients} keep the model busy. */
    private int threadsOf(ThreadLevels model, int clients) {
        var requests = new ArrayList<RunRequest>();
        for (int i = 0; i < clients; i++) {
            requests.add(policy.arrive(model, SIZE).orElseThrow());
        }
        // All that started before the others had arrived end, and come again.
        for (int i = 0; i < 4 * clients; i++) {
            RunRequest first =
                    requests.stream().filter(RunRequest::isStarted).findFirst().orElseThrow();
            requests.remove(first);
            now += 50 * MILLI;
            var _ = policy.end(first, false);
            requests.add(policy.arrive(model, SIZE).orElseThrow());
        }
        int threads =
                requests.stream()
                        .filter(RunRequest::isStarted)
                        .map(request -> threads(model, request))
                        .reduce((_, last) -> last)
                        .orElseThrow();
        while (!requests.isEmpty()) {
            RunRequest started =
                    requests.stream().filter(RunRequest::isStarted).findFirst().orElseThrow();
            requests.remove(started);
            now += 1_000 * MILLI;
            var _ = policy.end(started, false);
        }
        assertThat(policy.threads()).isZero();
        return threads;
    }

    @Test
    void twoModelsShareTheCores() {
        ThreadLevels one = measured();
        ThreadLevels other = measured();

        assertThat(threads(one, arrive(one))).isEqualTo(8);
        RunRequest second = arrive(other);

        // The cores are taken.
        assertThat(second.isStarted()).isFalse();
        assertThat(policy.threads()).isEqualTo(8);
    }

    @Test
    void aRunWithAFixedNumberOfThreadsTakesOneCore() {
        ThreadLevels model = measured();
        for (int i = 0; i < 15; i++) {
            policy.beginFixed();
        }

        assertThat(threads(model, arrive(model))).isEqualTo(1);
        RunRequest waiting = arrive(model);
        assertThat(waiting.isStarted()).isFalse();
        assertThat(policy.endFixed()).containsExactly(waiting);
    }

    @Test
    void aCoreHasTwoRunsIfAllHaveOneThread() {
        ThreadLevels model = policy.levels(1);
        for (int i = 0; i < 16; i++) {
            assertThat(arrive(model).isStarted()).isTrue();
        }

        assertThat(arrive(model).isStarted()).isFalse();
    }

    @Test
    void waitingRunsStartInTheOrderOfTheirArrival() {
        ThreadLevels model = policy.levels(1);
        var started = new ArrayList<RunRequest>();
        for (int i = 0; i < 16; i++) {
            started.add(arrive(model));
        }
        RunRequest first = arrive(model);
        RunRequest second = arrive(model);
        RunRequest third = arrive(model);
        assertThat(List.of(first, second, third)).noneMatch(RunRequest::isStarted);

        assertThat(policy.abandon(second)).isEmpty();
        now += 5 * MILLI;

        assertThat(policy.end(started.get(0), true)).containsExactly(first);
        assertThat(first.waitedNanos()).isEqualTo(5 * MILLI);
        assertThat(policy.end(started.get(1), true)).containsExactly(third);
        assertThat(policy.end(started.get(2), true)).isEmpty();
    }

    @Test
    void rejectsRunsWhileTooManyWait() {
        ThreadLevels model = policy.levels(1);
        RunRequest first = arrive(model);
        for (int i = 0; i < 15 + CorePolicy.WAITING_MAX; i++) {
            arrive(model);
        }

        assertThat(policy.arrive(model, SIZE)).isEqualTo(Optional.empty());
        assertThat(policy.end(first, true)).hasSize(1);
        assertThat(policy.arrive(model, SIZE)).isPresent();
    }

    @Test
    void runsStayNarrowInTheShortBreaksOfABurst() {
        ThreadLevels model = measured();
        assertThat(threadsOf(model, 20)).isEqualTo(1);
        var burst = new ArrayList<RunRequest>();
        for (int i = 0; i < 8; i++) {
            burst.add(arrive(model));
        }
        now += 200 * MILLI;
        burst.forEach(request -> {
            var _ = policy.end(request, false);
        });

        now += MILLI;
        RunRequest soon = arrive(model);
        assertThat(threads(model, soon)).isLessThanOrEqualTo(2);
        var _ = policy.end(soon, false);
        now += 200 * MILLI;
        assertThat(threads(model, arrive(model))).isEqualTo(8);
    }

    @Test
    void hasALevelForEachPowerOfTwoAndForTheMaximum() {
        assertThat(threads(new CorePolicy(12, () -> 0).levels(100)))
                .containsExactly(1, 2, 4, 8, 12);
        assertThat(threads(new CorePolicy(12, () -> 0).levels(6))).containsExactly(1, 2, 4, 6);
        assertThat(threads(new CorePolicy(1, () -> 0).levels(4))).containsExactly(1);
    }

    private static List<Integer> threads(ThreadLevels levels) {
        var threads = new ArrayList<Integer>();
        for (int level = 0; level < levels.count(); level++) {
            threads.add(levels.threads(level));
        }
        return threads;
    }

    /** Returns a model that is known to be twice as fast with each level. */
    private ThreadLevels measured() {
        ThreadLevels model = policy.levels(8);
        for (int level = 0; level < model.count(); level++) {
            policy.loaded(model, level);
            for (int i = 0; i < LevelTimes.SAMPLES; i++) {
                model.times().add(SIZE, level, (double) (80 * MILLI) / model.threads(level));
            }
        }
        return model;
    }

    private RunRequest arrive(ThreadLevels model) {
        return policy.arrive(model, SIZE).orElseThrow();
    }

    private void end(RunRequest request, long nanos) {
        now += nanos;
        assertThat(policy.end(request, true)).isEmpty();
    }

    private static int threads(ThreadLevels model, RunRequest request) {
        assertThat(request.isStarted()).isTrue();
        return model.threads(request.level());
    }
}
