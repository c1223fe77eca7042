package org.crabro.document.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.crabro.document.FieldValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeKindTest {
    private static final long NOW = Instant.parse("2024-05-08T10:00:00Z").getEpochSecond();

    private static TimeKind kind(String word) {
        return TimeKind.named(word).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "time, 0, 1970-01-01T00:00:00Z",
        "time, -1, 1969-12-31T23:59:59Z",
        "time, 1714557600, 2024-05-01T10:00:00Z",
        "time, -62167219200, 0000-01-01T00:00:00Z",
        "time, 253402300799, 9999-12-31T23:59:59Z",
        "time-ms, 1714557600000, 2024-05-01T10:00:00Z",
        "time-ms, 1714557600500, 2024-05-01T10:00:00.500Z",
        "time-ms, -1, 1969-12-31T23:59:59.999Z",
        "time-ms, 253402300799999, 9999-12-31T23:59:59.999Z",
        "time-us, -1, 1969-12-31T23:59:59.999999Z",
        "time-us, 1000, 1970-01-01T00:00:00.001Z",
        "time-us, 253402300799999999, 9999-12-31T23:59:59.999999Z",
        "date, 1714557600, 2024-05-01",
        "date, -1, 1969-12-31",
        "date, -62167219200, 0000-01-01",
        "date, 253402300799, 9999-12-31"
    })
    void showsTimes(String word, long value, String text) {
        assertThat(kind(word).text(value)).contains(text);
    }

    @ParameterizedTest
    @CsvSource({
        "time, 253402300800",
        "time, -62167219201",
        "time, 9223372036854775807",
        "time, -9223372036854775808",
        "time-ms, 253402300800000",
        "time-ms, -62167219200001",
        "time-us, 253402300800000000",
        "time-us, 9223372036854775807",
        "time-us, -9223372036854775808",
        "date, 253402300800",
        "date, -9223372036854775808"
    })
    void showsNoTimesOutsideOfFourDigitYears(String word, long value) {
        assertThat(kind(word).text(value)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "time, 2024, 1704067200, 1735689599",
        "time, 2024-02, 1706745600, 1709251199",
        "time, 2023-02, 1675209600, 1677628799",
        "time, 2024-05-01, 1714521600, 1714607999",
        "time, 2024-05-01T10:00, 1714557600, 1714557659",
        "time, 2024-05-01T10:00:00Z, 1714557600, 1714557600",
        "time, 2024-05-01 10:00:00, 1714557600, 1714557600",
        "time, 2024-05-01t10:00:00z, 1714557600, 1714557600",
        "time, 2024-05-01T12:00:00+02:00, 1714557600, 1714557600",
        "time, 2024-05-01T12:00:00+0200, 1714557600, 1714557600",
        "time, 2024-05-01T12:00+02, 1714557600, 1714557659",
        "time, 2024-05-01T04:30:00-05:30, 1714557600, 1714557600",
        "time, 2016-12-31T23:59:60Z, 1483228800, 1483228800",
        "time, 2017-01-01T00:59:60+01:00, 1483228800, 1483228800",
        "time, 2024-05-01T10:00:00.5Z, 1714557601, 1714557600",
        "time, 0000, -62167219200, -62135596801",
        "time, 9999, 253370764800, 253402300799",
        "time, 9999-12-31T23:59:59Z, 253402300799, 253402300799",
        "time-ms, 2024-05-01, 1714521600000, 1714607999999",
        "time-ms, 2024-05-01T10:00:00.5Z, 1714557600500, 1714557600500",
        "'time-ms', '2024-05-01T10:00:00,123Z', 1714557600123, 1714557600123",
        "time-ms, 2024-05-01T10:00:00.0001Z, 1714557600001, 1714557600000",
        "time-us, 0000, -62167219200000000, -62135596800000001",
        "time-us, 9999, 253370764800000000, 253402300799999999",
        "time-us, 2024-05-01T10:00:00.000001Z, 1714557600000001, 1714557600000001",
        "date, 2024-05-01, 1714521600, 1714607999",
        "date, 2024-05, 1714521600, 1717199999",
        "time, now(), 1715162400, 1715162400",
        "time, now() - 7d, 1714557600, 1714557600",
        "time, now()-1w+1h-60m, 1714557600, 1714557600",
        "time-ms, now() + 30s, 1715162430000, 1715162430000",
        "time-us, now() - 999999999w, -62167219200000000, -62167219200000000"
    })
    void readsTimesOfConditions(String word, String text, long first, long last) {
        assertThat(kind(word).span(text, NOW)).isEqualTo(new TimeSpan(first, last));
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    2024-13-01 => "2024-13-01" is no time, since the month is 13: expected one from 01 to 12
                    2024-00 => "2024-00" is no time, since the month is 00: expected one from 01 to 12
                    2023-02-29 => "2023-02-29" is no time, since February 2023 has 28 days: expected a day from 01 to 28
                    1900-02-29 => "1900-02-29" is no time, since February 1900 has 28 days: expected a day from 01 to 28
                    2024-04-31 => "2024-04-31" is no time, since April 2024 has 30 days: expected a day from 01 to 30
                    2024-05-00 => "2024-05-00" is no time, since May 2024 has 31 days: expected a day from 01 to 31
                    2024-05-01T24:00:00Z => "2024-05-01T24:00:00Z" is no time, since the hour is 24: expected one from 00 to 23
                    2024-05-01T10:60:00Z => "2024-05-01T10:60:00Z" is no time, since the minute is 60: expected one from 00 to 59
                    2024-05-01T10:00:60Z => "2024-05-01T10:00:60Z" is no time, since the second is 60: expected one from 00 to 59
                    2016-12-31T23:59:61Z => "2016-12-31T23:59:61Z" is no time, since the second is 61: expected one from 00 to 60
                    2024-05-01T10:00:00+19:00 => "2024-05-01T10:00:00+19:00" is no time, since the offset is 19: expected one from 00 to 18
                    now() - 7 => "now() - 7" is no time: expected now(), or now() with steps such as - 7d, of the units s, m, h, d and w
                    now() - 7y => "now() - 7y" is no time: expected now(), or now() with steps such as - 7d, of the units s, m, h, d and w
                    """)
    void namesTheWrongPart(String text, String message) {
        assertThatExceptionOfType(InvalidTimeException.class)
                .isThrownBy(() -> TimeKind.SECONDS.span(text, NOW))
                .withMessage(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "yesterday",
                "24-05-01",
                "2024-5-1",
                "2024/05/01",
                "20240501",
                "1714557600",
                "-2024",
                "12024-01-01",
                "2024-05-01T",
                "2024-05-01T10",
                "2024-05-01T10:00:00.Z",
                "2024-05-01T10:00:00.1234567890Z",
                "2024-05-01T10:00:00 Europe/Berlin",
                "２０２４-05-01",
                "2024-05-01T10:00:00Z\u0000"
            })
    void namesTheFormsOfTimes(String text) {
        assertThatExceptionOfType(InvalidTimeException.class)
                .isThrownBy(() -> TimeKind.SECONDS.span(text, NOW))
                .withMessageEndingWith(
                        "is no time: expected a year such as 2024, a month such as 2024-05, a day such as"
                                + " 2024-05-01, or a time such as 2024-05-01T10:00:00Z, or now() - 7d");
    }

    /** Texts are bounded before patterns match them, and messages contain their beginning only. */
    @ParameterizedTest
    @ValueSource(strings = {"9", "now()", "now() - 1d", "2024-05-01T10:00:00.", " + 1s"})
    void rejectsLongTextsAtOnce(String part) {
        String text = "now()" + part.repeat(1_000_000);
        assertThatExceptionOfType(InvalidTimeException.class)
                .isThrownBy(() -> TimeKind.SECONDS.span(text, NOW))
                .satisfies(e -> assertThat(String.valueOf(e.getMessage())).hasSizeLessThan(300));
        assertThatExceptionOfType(InvalidTimeException.class)
                .isThrownBy(() -> TimeKind.SECONDS.value(text));
    }

    @ParameterizedTest
    @CsvSource({
        "time, 2024-05-01, 1714521600",
        "time, 2024-05-01T10:00:00Z, 1714557600",
        "time, 2024-05-01T10:00:00.999Z, 1714557600",
        "time, 1969-12-31T23:59:59.5Z, -1",
        "time-ms, 2024-05-01T10:00:00.9999Z, 1714557600999",
        "time-us, 2024-05-01T10:00:00.25+00:00, 1714557600250000",
        "date, 2024-05-01, 1714521600",
        "date, 2024-05-01T00:00:00Z, 1714521600"
    })
    void readsTimesOfDocuments(String word, String text, long value) {
        assertThat(kind(word).value(text)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"time, 2024", "time, 2024-05", "time, now()", "time, now() - 7d", "date, 2024-05"})
    void rejectsSpansInDocuments(String word, String text) {
        assertThatExceptionOfType(InvalidTimeException.class)
                .isThrownBy(() -> kind(word).value(text))
                .withMessageEndingWith(
                        "is no time: expected a day such as 2024-05-01 or a time such as"
                                + " 2024-05-01T10:00:00Z");
    }

    @Test
    void rejectsTimesOfDaysInFieldsOfDays() {
        assertThatExceptionOfType(InvalidTimeException.class)
                .isThrownBy(() -> TimeKind.DAYS.value("2024-05-01T10:00:00Z"))
                .withMessage(
                        "expected a day such as 2024-05-01 for kind date but found a time, 2024-05-01T10:00:00Z");
    }

    /** {@code java.time} is the oracle. */
    @Test
    void agreesWithJavaTime() {
        long seed = Long.getLong("crabro.seed", System.nanoTime());
        var random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            long second = random.nextLong(TimeKind.FIRST_SECOND, TimeKind.LAST_SECOND + 1);
            int micro = random.nextInt(1_000_000);
            Instant instant = Instant.ofEpochSecond(second, micro * 1_000L);
            ZoneOffset offset = ZoneOffset.ofTotalSeconds(60 * random.nextInt(-18 * 60, 18 * 60));
            OffsetDateTime local = instant.atOffset(offset);
            String what = "seed " + seed + ", " + local;
            assertThat(TimeKind.MICROS.text(second * 1_000_000 + micro))
                    .as(what)
                    .contains(instant.toString());
            assertThat(TimeKind.SECONDS.text(second))
                    .as(what)
                    .contains(Instant.ofEpochSecond(second).toString());
            assertThat(TimeKind.DAYS.text(second))
                    .as(what)
                    .contains(instant.atOffset(ZoneOffset.UTC).toLocalDate().toString());
            if (local.getYear() < 0 || local.getYear() > 9_999) {
                continue;
            }
            String text =
                    "%s:%02d.%06d%s"
                            .formatted(
                                    local.toLocalDateTime().withSecond(0).withNano(0),
                                    local.getSecond(),
                                    micro,
                                    offset);
            assertThat(TimeKind.MICROS.value(text)).as(what).isEqualTo(second * 1_000_000 + micro);
            assertThat(TimeKind.SECONDS.value(text)).as(what).isEqualTo(second);
            LocalDate day = local.toLocalDate();
            assertSpan(day.toString(), day.atStartOfDay(), day.plusDays(1).atStartOfDay(), what);
            YearMonth month = YearMonth.from(day);
            assertSpan(
                    month.toString(),
                    month.atDay(1).atStartOfDay(),
                    month.plusMonths(1).atDay(1).atStartOfDay(),
                    what);
        }
    }

    private static void assertSpan(
            String text, LocalDateTime first, LocalDateTime end, String what) {
        long start = first.toEpochSecond(ZoneOffset.UTC);
        long length = Duration.between(first, end).toSeconds();
        assertThat(TimeKind.MILLIS.span(text, NOW))
                .as(what)
                .isEqualTo(new TimeSpan(start * 1_000, (start + length) * 1_000 - 1));
    }

    @Test
    void showsTimesInPartsOfValues() {
        TimeParts times =
                TimeParts.NONE
                        .with(List.of("at"), TimeKind.SECONDS)
                        .with(List.of("by", "value"), TimeKind.DAYS);
        FieldValue value = events(new FieldValue.LongValue(0), new FieldValue.LongValue(0));
        assertThat(times.shown(value))
                .isEqualTo(
                        events(
                                new FieldValue.StringValue("1970-01-01T00:00:00Z"),
                                new FieldValue.StringValue("1970-01-01")));
        assertThat(TimeParts.NONE.shown(value)).isSameAs(value);
        var far = new FieldValue.LongValue(Long.MAX_VALUE);
        assertThat(new TimeParts(Optional.of(TimeKind.MILLIS), Map.of()).shown(far)).isEqualTo(far);
    }

    private static FieldValue events(FieldValue at, FieldValue day) {
        return new FieldValue.ArrayValue(
                List.of(
                        new FieldValue.StructValue(
                                Map.of(
                                        "at",
                                        at,
                                        "count",
                                        new FieldValue.LongValue(0),
                                        "by",
                                        new FieldValue.MapValue(
                                                Map.of(new FieldValue.StringValue("a"), day))))));
    }
}
