package org.crabro.client.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Simulates servers in time that the test sets. */
class SendWindowTest {
    private static final int WARM_UP = 300;
    private static final int MEASURED = 300;

    private double now;

    /** A server that answers in a fixed time until it is at its capacity. */
    private record SimulatedServer(double latencySeconds, double capacity) {
        double throughput(int window) {
            double unlimited = window / latencySeconds;
            // A smooth knee, and a small loss beyond it.
            double smooth = unlimited * capacity / Math.cbrt(cube(unlimited) + cube(capacity));
            return smooth * (1 - 0.0001 * Math.max(0, window - 64));
        }

        private static double cube(double value) {
            return value * value * value;
        }

        double best() {
            double best = 0;
            for (int window = 1; window <= 1024; window++) {
                best = Math.max(best, throughput(window));
            }
            return best;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0.001, 1000",
        "0.001, 20000",
        "0.001, 100000",
        "0.01, 20000",
        "0.002, 200000",
        "0.2, 100"
    })
    void comesCloseToTheHighestThroughput(double latencySeconds, double capacity) {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        var server = new SimulatedServer(latencySeconds, capacity);
        var window = SendWindow.adaptive(16, 1024);

        double sum = run(window, server, random, MEASURED);

        assertThat(sum / MEASURED).as("seed %d", seed).isGreaterThan(0.9 * server.best());
    }

    @Test
    void growsAgainWhenTheServerGetsFaster() {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        var window = SendWindow.adaptive(16, 1024);
        run(window, new SimulatedServer(0.001, 1000), random, 1);
        int small = window.size();
        var fast = new SimulatedServer(0.01, 50_000);

        double sum = run(window, fast, random, MEASURED);

        assertThat(sum / MEASURED).as("seed %d", seed).isGreaterThan(0.9 * fast.best());
        assertThat(window.size()).isGreaterThan(small);
    }

    /** Returns the sum of the throughput of the last measured intervals. */
    private double run(SendWindow window, SimulatedServer server, Random random, int measured) {
        double sum = 0;
        for (int interval = 0; interval < WARM_UP + measured; interval++) {
            int size = window.size();
            window.filled();
            double rate = server.throughput(size) * (0.98 + 0.04 * random.nextDouble());
            long answers = Math.max(4L * size + 1, Math.round(rate * 0.11));
            for (long i = 0; i < answers; i++) {
                now += 1e9 / rate;
                window.answered(1, (long) now);
                window.filled();
            }
            if (interval >= WARM_UP) {
                sum += server.throughput(size);
            }
        }
        return sum;
    }

    @Test
    void halvesOnceWhenTheServerIsBusy() {
        var window = SendWindow.adaptive(64, 1024);

        window.refused(1);
        window.refused(2);

        assertThat(window.size()).isEqualTo(32);
    }

    @Test
    void triesNoLargerWindowForAWhileAfterABusyAnswer() {
        var window = SendWindow.adaptive(64, 1024);
        window.refused(1);
        var server = new SimulatedServer(0.01, 1e6);

        run(window, server, new Random(1), 90 - WARM_UP);

        assertThat(window.size()).isEqualTo(32);
        run(window, server, new Random(1), 50 - WARM_UP);
        assertThat(window.size()).isGreaterThan(64);
    }

    @Test
    void growsFromItsSmallestSizeAndReturnsToItAfterBusyAnswers() {
        var window = SendWindow.growing(4, 8);
        var slow = new SimulatedServer(0.01, 100);

        run(window, slow, new Random(1), 100 - WARM_UP);
        assertThat(window.size()).isBetween(4, 8);
        window.refused((long) now);
        assertThat(window.size()).isLessThan(4);
        run(window, slow, new Random(1), 200 - WARM_UP);
        assertThat(window.size()).isBetween(4, 8);
    }

    @Test
    void staysWhereTheCallerIsTheLimit() {
        var window = SendWindow.adaptive(16, 1024);

        for (int i = 0; i < 1000; i++) {
            window.answered(1, i * 10_000_000L);
        }

        assertThat(window.size()).isEqualTo(16);
    }

    @Test
    void neverChangesIfFixed() {
        var window = SendWindow.fixed(7);

        window.refused(1);
        for (int i = 0; i < 1000; i++) {
            window.filled();
            window.answered(1, i * 10_000_000L);
        }

        assertThat(window.size()).isEqualTo(7);
    }

    @Test
    void staysWithinItsLimit() {
        var window = SendWindow.adaptive(2, 8);

        for (int i = 0; i < 1000; i++) {
            assertThat(window.size()).isBetween(1, 8);
            window.filled();
            window.answered(window.size(), i * 30_000_000L);
        }

        assertThatThrownBy(() -> SendWindow.adaptive(2, 2000))
                .hasMessage("the largest window is 2000, outside of 1 to 1024");
    }
}
