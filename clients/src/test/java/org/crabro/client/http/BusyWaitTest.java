package org.crabro.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Waits without a clock. */
class BusyWaitTest {
    private static final Optional<Duration> UNNAMED = Optional.empty();

    private final List<String> notices = new ArrayList<>();
    private final BusyWait wait =
            new BusyWait(new BusyServers(Duration.ofMinutes(1), notices::add));

    @Test
    void waitsAtLeastAsLongAsTheServerAsks() {
        for (int seconds : new int[] {0, 1, 8, 30}) {
            Duration asked = Duration.ofSeconds(seconds);

            Duration pause = next(Optional.of(asked), 0).orElseThrow();

            assertThat(pause)
                    .isGreaterThan(asked)
                    .isLessThanOrEqualTo(asked.multipliedBy(5).dividedBy(4).plusMillis(50));
        }
    }

    @Test
    void endsBeforeAWaitThatWouldExceedTheLimit() {
        assertThat(next(Optional.of(Duration.ofSeconds(61)), 0)).isEmpty();
        assertThat(wait.over())
                .isEqualTo(
                        "the server is full, and was for 60 s or asks for a longer wait than that");
    }

    @Test
    void countsTimeAndNotTries() {
        for (int i = 0; i < 100; i++) {
            assertThat(next(Optional.of(Duration.ZERO), i / 2)).isPresent();
        }

        assertThat(next(Optional.of(Duration.ZERO), 60)).isEmpty();
    }

    @Test
    void doublesPausesWhereTheServerNamesNoTime() {
        assertThat(next(UNNAMED, 0).orElseThrow()).isLessThanOrEqualTo(Duration.ofMillis(50));
        for (int i = 0; i < 20; i++) {
            Optional<Duration> _ = next(UNNAMED, 0);
        }
        assertThat(next(UNNAMED, 0).orElseThrow()).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void beginsAgainAfterProgress() {
        assertThat(next(UNNAMED, 0)).isPresent();
        assertThat(next(UNNAMED, 59)).isPresent();

        wait.progressed();

        assertThat(next(UNNAMED, 100)).isPresent();
    }

    @Test
    void reportsTheFirstWait() {
        Optional<Duration> _ = next(UNNAMED, 0);
        Optional<Duration> _ = next(UNNAMED, 1);

        assertThat(notices)
                .containsExactly(
                        "The server is full, and the client waits for it, at most 60 s: 503");
    }

    private Optional<Duration> next(Optional<Duration> asked, int second) {
        return wait.next(asked, Duration.ofSeconds(second).toNanos(), "503");
    }
}
