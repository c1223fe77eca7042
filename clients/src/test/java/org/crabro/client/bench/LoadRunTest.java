package org.crabro.client.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** Runs with one client, whose clock moves only while it sleeps and while answers take time. */
class LoadRunTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AtomicLong now = new AtomicLong(1_000_000);

    private final LoadClock clock =
            new LoadClock() {
                @Override
                public long nanoTime() {
                    return now.get();
                }

                @Override
                public void sleepUntil(long nanoTime) {
                    now.accumulateAndGet(nanoTime, Math::max);
                }
            };

    /** Answers whose time depends on their number. */
    private final class Answers implements LoadSource {
        private final LongUnaryOperator millis;
        private final long most;
        private long number;

        Answers(LongUnaryOperator millis, long most) {
            this.millis = millis;
            this.most = most;
        }

        @Override
        public Optional<LoadAnswer> send(int client) {
            if (number == most) {
                return Optional.empty();
            }
            now.addAndGet(Duration.ofMillis(millis.applyAsLong(number)).toNanos());
            number++;
            return Optional.of(new LoadAnswer(200, number % 10 != 0, number % 4, 100, ""));
        }

        @Override
        public String items() {
            return "hits";
        }

        @Override
        public void close() {}
    }

    private LoadResult result(LoadSettings settings, LongUnaryOperator millis, long most)
            throws InterruptedException {
        return new LoadRun(settings, new Answers(millis, most), clock).run();
    }

    private static LoadSettings closed(Duration cycle, Duration warmUp, int ignored) {
        return new LoadSettings(1, OptionalDouble.empty(), cycle, warmUp, ignored, SECOND);
    }

    @Test
    void sendsTheNextRequestOfAClosedLoopAfterTheAnswer() throws InterruptedException {
        LoadResult result = result(closed(Duration.ZERO, Duration.ZERO, 0), _ -> 2, Long.MAX_VALUE);

        assertThat(result.counts()).isEqualTo(new LoadResult.Counts(500, 50, 100, 0));
        assertThat(result.items()).isEqualTo(new LoadResult.Items("hits", 750, 50_000));
        assertThat(result.rate()).isCloseTo(500, within(0.1));
        assertThat(result.latencies().percentile(50)).isCloseTo(2, within(0.01));
        assertThat(result.latencies().largest()).isCloseTo(2, within(0.01));
        assertThat(result.isSuccess()).isFalse();
    }

    /** The first answer takes 500 ms, and delays the 49 requests that were to start meanwhile. */
    @Test
    void countsTheDelayOfRequestsInAnOpenLoop() throws InterruptedException {
        LongUnaryOperator millis = number -> number == 0 ? 500 : 1;
        var open =
                new LoadSettings(
                        1, OptionalDouble.of(100), Duration.ZERO, Duration.ZERO, 0, SECOND);

        LoadResult result = result(open, millis, Long.MAX_VALUE);
        LoadResult inClosedLoop =
                result(closed(Duration.ofMillis(10), Duration.ZERO, 0), millis, Long.MAX_VALUE);

        assertThat(result.counts().answers()).isEqualTo(100);
        assertThat(result.latencies().percentile(99.99)).isCloseTo(500, within(1.0));
        // Each is 10 ms later than the one before, and 1 ms later off: 491, 482, 473, ...
        assertThat(result.latencies().percentile(75)).isCloseTo(284, within(15.0));
        assertThat(result.latencies().percentile(25)).isCloseTo(1, within(0.01));
        assertThat(inClosedLoop.latencies().percentile(75)).isCloseTo(1, within(0.01));
    }

    @Test
    void keepsCyclesAndCountsThoseThatItMisses() throws InterruptedException {
        var cycle = closed(Duration.ofMillis(10), Duration.ZERO, 0);

        LoadResult fast = result(cycle, _ -> 2, Long.MAX_VALUE);
        LoadResult slow = result(cycle, _ -> 20, Long.MAX_VALUE);

        assertThat(fast.counts().answers()).isEqualTo(100);
        assertThat(fast.counts().missedCycles()).isZero();
        assertThat(slow.counts().answers()).isEqualTo(50);
        assertThat(slow.counts().missedCycles()).isEqualTo(50);
    }

    @Test
    void countsNeitherTheWarmUpNorTheFirstRequests() throws InterruptedException {
        assertThat(
                        result(
                                        closed(Duration.ZERO, Duration.ofSeconds(3), 0),
                                        _ -> 2,
                                        Long.MAX_VALUE)
                                .counts()
                                .answers())
                .isEqualTo(500);
        assertThat(
                        result(closed(Duration.ZERO, Duration.ZERO, 7), _ -> 2, Long.MAX_VALUE)
                                .counts()
                                .answers())
                .isEqualTo(493);
    }

    @Test
    void endsWhenThereAreNoMoreRequests() throws InterruptedException {
        LoadResult result = result(closed(Duration.ZERO, Duration.ZERO, 0), _ -> 1, 5);

        assertThat(result.counts().answers()).isEqualTo(5);
        assertThat(result.isSuccess()).isTrue();
    }

    @Test
    void mergesIntervalsOfLongRuns() throws InterruptedException {
        var hours =
                new LoadSettings(
                        1,
                        OptionalDouble.empty(),
                        Duration.ZERO,
                        Duration.ZERO,
                        0,
                        Duration.ofSeconds(5_000));

        LoadResult result = result(hours, _ -> 500, Long.MAX_VALUE);

        assertThat(result.latencies().intervals())
                .hasSizeLessThanOrEqualTo(LoadRecorder.INTERVALS_MAX)
                .hasSizeGreaterThan(LoadRecorder.INTERVALS_MAX / 4)
                .allSatisfy(each -> assertThat(each.rate()).isCloseTo(2, within(0.5)));
    }
}
