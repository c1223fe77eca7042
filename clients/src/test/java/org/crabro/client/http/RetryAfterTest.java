package org.crabro.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Reads values of the header. */
class RetryAfterTest {
    private static final Instant NOW = Instant.parse("2026-11-29T22:00:00Z");

    @Test
    void readsSeconds() {
        assertThat(parse("0")).contains(Duration.ZERO);
        assertThat(parse("7")).contains(Duration.ofSeconds(7));
        assertThat(parse("120")).contains(Duration.ofMinutes(2));
    }

    @Test
    void readsDates() {
        assertThat(parse("Sun, 29 Nov 2026 22:01:30 GMT")).contains(Duration.ofSeconds(90));
        assertThat(parse("Sun, 29 Nov 2026 21:00:00 GMT")).contains(Duration.ZERO);
    }

    @Test
    void boundsNumbersThatNobodyWaitsFor() {
        assertThat(parse("9".repeat(10_000)).orElseThrow()).isGreaterThan(Duration.ofDays(365));
    }

    @Test
    void ignoresOtherTexts() {
        for (String value : new String[] {"", "-1", "1.5", "soon", "+3", "٣", "Sun, 29 Nov"}) {
            assertThat(parse(value)).as(value).isEmpty();
        }
    }

    @Test
    void namesTheStatusesOfFullServers() {
        assertThat(RetryAfter.isBusy(429)).isTrue();
        assertThat(RetryAfter.isBusy(503)).isTrue();
        assertThat(RetryAfter.isBusy(500)).isFalse();
        assertThat(RetryAfter.isBusy(200)).isFalse();
    }

    private static Optional<Duration> parse(String value) {
        return RetryAfter.parse(value, NOW);
    }
}
