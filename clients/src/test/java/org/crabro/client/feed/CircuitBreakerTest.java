package org.crabro.client.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.crabro.client.feed.CircuitBreaker.State;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
    private static final long SECOND = 1_000_000_000L;

    private final CircuitBreaker breaker =
            new CircuitBreaker(Duration.ofSeconds(10), Duration.ofSeconds(60));

    @Test
    void opensInStepsWhileNothingIsAnswered() {
        breaker.failed(100 * SECOND);
        breaker.failed(105 * SECOND);

        assertThat(breaker.state(109 * SECOND)).isEqualTo(State.CLOSED);
        assertThat(breaker.state(110 * SECOND)).isEqualTo(State.HALF_OPEN);
        assertThat(breaker.state(159 * SECOND)).isEqualTo(State.HALF_OPEN);
        assertThat(breaker.state(160 * SECOND)).isEqualTo(State.OPEN);
    }

    @Test
    void closesWithAnAnswer() {
        breaker.failed(0);

        breaker.answered();

        assertThat(breaker.state(70 * SECOND)).isEqualTo(State.CLOSED);
    }

    @Test
    void triesAnOpenServerOnceInAGraceTime() {
        breaker.failed(0);

        assertThat(breaker.mayProbe(61 * SECOND)).isTrue();
        assertThat(breaker.mayProbe(62 * SECOND)).isFalse();
        assertThat(breaker.mayProbe(71 * SECOND)).isTrue();
    }
}
