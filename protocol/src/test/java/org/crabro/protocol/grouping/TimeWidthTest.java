package org.crabro.protocol.grouping;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeWidthTest {
    /** Clocks in Oslo are put forward at 2 on 2026-03-29 and back at 3 on 2026-10-25. */
    @ParameterizedTest
    @CsvSource({
        "6h, Europe/Oslo, 2026-03-29T00:30:00Z, 2026-03-28T23:00:00Z",
        "6h, Europe/Oslo, 2026-03-29T01:30:00Z, 2026-03-28T23:00:00Z",
        "6h, Europe/Oslo, 2026-03-29T04:00:00Z, 2026-03-29T04:00:00Z",
        "2h, Europe/Oslo, 2026-03-29T01:30:00Z, 2026-03-29T01:00:00Z",
        "6h, Europe/Oslo, 2026-10-25T00:30:00Z, 2026-10-24T22:00:00Z",
        "6h, Europe/Oslo, 2026-10-25T01:30:00Z, 2026-10-24T22:00:00Z",
        "6h, Europe/Oslo, 2026-10-25T05:00:00Z, 2026-10-25T05:00:00Z",
        "1h, Europe/Oslo, 2026-10-25T00:30:00Z, 2026-10-25T00:00:00Z",
        "1h, Europe/Oslo, 2026-10-25T01:30:00Z, 2026-10-25T01:00:00Z",
        "1h, Australia/Lord_Howe, 2026-04-04T15:10:00Z, 2026-04-04T14:00:00Z",
        "1d, Europe/Oslo, 2026-10-25T22:59:59Z, 2026-10-24T22:00:00Z",
        "1w, UTC, 2026-01-01T00:00:00Z, 2025-12-29T00:00:00Z",
        "2mo, UTC, 2026-02-28T00:00:00Z, 2026-01-01T00:00:00Z",
        "10y, UTC, 2026-02-28T00:00:00Z, 2020-01-01T00:00:00Z"
    })
    void beginsWhereClocksSay(String width, String zone, Instant time, Instant start) {
        TimeWidth.Span span =
                TimeWidth.of(width).orElseThrow().at(time.getEpochSecond(), ZoneId.of(zone));

        assertThat(Instant.ofEpochSecond(span.start())).isEqualTo(start);
        assertThat(span.from()).isLessThanOrEqualTo(time.getEpochSecond());
        assertThat(span.to()).isGreaterThan(time.getEpochSecond());
    }

    @ParameterizedTest
    @CsvSource({
        "6h, Europe/Oslo, 1461, 4",
        "1h, Europe/Oslo, 8760, 1",
        "1h, Australia/Lord_Howe, 8760, 1",
        "1d, America/New_York, 365, 1",
        "1w, UTC, 53, 1",
        "1mo, Asia/Tokyo, 12, 1"
    })
    void leadsFromEachToTheNextOfAYear(String text, String name, int count, int parts) {
        var width = TimeWidth.of(text).orElseThrow();
        ZoneId zone = ZoneId.of(name);
        long end = LocalDateTime.of(2027, 1, 1, 0, 0).atZone(zone).toEpochSecond();
        long at = LocalDateTime.of(2026, 1, 1, 0, 0).atZone(zone).toEpochSecond();
        at = width.at(at, zone).start();
        int steps = 0;
        while (at < end) {
            assertThat(width.at(at, zone).start()).isEqualTo(at);
            long next = width.next(at, zone);
            assertThat(next).isGreaterThan(at);
            // All times in between have the start of the period before.
            assertThat(width.at(next - 1, zone).start()).isEqualTo(at);
            at = next;
            steps++;
        }
        assertThat(steps).isBetween(count - parts, count);
    }

    @Test
    void refusesWhatDoesNotDivideADay() {
        assertThat(TimeWidth.of("7m")).isEmpty();
        assertThat(TimeWidth.of("0d")).isEmpty();
        assertThat(TimeWidth.of("1 d")).isEmpty();
        assertThat(TimeWidth.of("15m")).contains(new TimeWidth(15, "m"));
    }
}
