package org.crabro.container.yql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.document.time.TimeKind;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions on fields of times, whose constants are texts. */
class TimeConditionsTest {
    /** It is 2024-05-08, 10:00. The field {@code at} counts other units in other types. */
    private record Request() implements QueryContext {
        @Override
        public Optional<String> parameter(String name) {
            return Optional.ofNullable(
                    Map.of(
                                    "since", "2024-05-01",
                                    "recent", "now() - 7d",
                                    "seconds", "1714557600",
                                    "list", "'2024-05-01T10:00:00Z', 5, '1970-01-01'")
                            .get(name));
        }

        @Override
        public FieldKind fieldKind(String name) {
            return new FieldKind.Whole();
        }

        @Override
        public Map<TimeKind, Set<String>> timeKinds(String path) {
            return switch (path) {
                case "time", "events.at", "days.value" -> Map.of(TimeKind.SECONDS, Set.of("mail"));
                case "millis" -> Map.of(TimeKind.MILLIS, Set.of("mail"));
                case "day" -> Map.of(TimeKind.DAYS, Set.of("mail"));
                case "at" ->
                        new TreeMap<>(
                                Map.of(
                                        TimeKind.SECONDS, Set.of("mail"),
                                        TimeKind.MILLIS, Set.of("note")));
                default -> Map.of();
            };
        }

        @Override
        public long now() {
            return Instant.parse("2024-05-08T10:00:00Z").getEpochSecond();
        }

        @Override
        public void count(int chars) {}

        @Override
        public Optional<QueryNode> userQuery() {
            return Optional.empty();
        }
    }

    private static String read(String condition) {
        return QueryText.of(YqlParser.condition(condition, new Request()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    time >= "2024-05-01"            | (range time [1714521600;])
                    time > "2024-05-01"             | (range time <1714521600;])
                    time < "2024-05-01"             | (range time [;1714521600>)
                    time <= "2024-05-01"            | (range time [;1714607999])
                    time = "2024-05-01"             | (range time [1714521600;1714607999])
                    time = "2024-05"                | (range time [1714521600;1717199999])
                    time >= "2024-05"               | (range time [1714521600;])
                    time <= "2024-05"               | (range time [;1717199999])
                    time = "2024"                   | (range time [1704067200;1735689599])
                    "2024" <= time                  | (range time [1704067200;])
                    time = "2024-05-01T12:00:00+02:00" | (range time [1714557600;1714557600])
                    time = "2024-05-01T10:00:00.5Z" | false
                    time >= "2024-05-01T10:00:00.5Z" | (range time [1714557601;])
                    time > "2024-05-01T10:00:00.5Z" | (range time <1714557600;])
                    time < "2024-05-01T10:00:00.5Z" | (range time [;1714557601>)
                    time <= "2024-05-01T10:00:00.5Z" | (range time [;1714557600])
                    millis >= "2024-05-01"          | (range millis [1714521600000;])
                    day = "2024-05-01"              | (range day [1714521600;1714607999])
                    time >= now() - 7d              | (range time [1714557600;])
                    time >= now()-7d                | (range time [1714557600;])
                    time >= now() - 1w + 1h - 60m   | (range time [1714557600;])
                    time < now()                    | (range time [;1715162400>)
                    now() - 1s <= millis            | (range millis [1715162399000;])
                    time >= @since                  | (range time [1714521600;])
                    time >= @recent                 | (range time [1714557600;])
                    time >= @seconds                | (range time [1714557600;])
                    time >= 1714557600              | (range time [1714557600;])
                    range(time, "2024", "2024-05")  | (range time [1704067200;1717199999])
                    {bounds:"open"}range(time, "2024", "2024-05") | (range time <1704067200;1714521600>)
                    range(time, "2024", Infinity)   | (range time [1704067200;])
                    range(time, 0, now())           | (range time [0;1715162400])
                    range(time, now() - 7d, now())  | (range time [1714557600;1715162400])
                    time in ("2024-05-01")          | (range time [1714521600;1714607999])
                    time in ("2024", "2022", 7)     | (or (range time [1704067200;1735689599]) (range time [1640995200;1672531199]) (in time 7))
                    time in (@list)                 | (or (range time [1714557600;1714557600]) (range time [0;86399]) (in time 5))
                    time in (5, 7)                  | (in time 5 7)
                    events contains sameElement(at >= "2024", name contains "x") | (same events (range at [1704067200;]) name:x)
                    events[0].at >= "2024"          | (same events[0] (range at [1704067200;]))
                    days{"x"} >= "2024"             | (range days{"x"} [1704067200;])
                    at >= "2024-05-01"              | (or (and sddocname:mail (range at [1714521600;])) (and sddocname:note (range at [1714521600000;])))
                    at >= 5                         | (range at [5;])
                    other >= 5                      | (range other [5;])
                    """)
    void comparesTimes(String condition, String tree) {
        assertThat(read(condition)).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    time >= "2024-13-01"   | "2024-13-01" is no time, since the month is 13: expected one from 01 to 12
                    time = "yesterday"     | "yesterday" is no time: expected a year such as 2024
                    time in ("x")          | "x" is no time: expected a year such as 2024
                    range(time, "x", 5)    | "x" is no time: expected a year such as 2024
                    time > now() - 7       | expected a period such as 7d after now(), with the unit s, m, h, d or w
                    time > now() - 7y      | expected a period such as 7d after now(), with the unit s, m, h, d or w
                    time > now() - 7dx     | expected a period such as 7d after now(), with the unit s, m, h, d or w
                    other = "2024"         | '=' compares numbers and booleans; for text use contains
                    other > "2024"         | expected a number for '>', got "2024"
                    other > now()          | expected a number for '>', got now()
                    other > now() - 7d     | expected a number for '>', got now()
                    other in (now())       | expected whole numbers or strings for in, got now()
                    other > 7d             | a number ends in 'd'
                    time > 7d              | a number ends in 'd'
                    range(other, "x", 5)   | expected numerical argument (or 'Infinity') to range, got "x"
                    """)
    void rejects(String condition, String message) {
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> read(condition))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"range": ["time", {">=": "2024-05-01"}]}            | (range time [1714521600;])
                    {"range": ["time", {">": "2024", "<": "2024-05"}]}   | (range time <1704067200;1714521600>)
                    {"range": ["time", {">=": "now() - 7d"}]}            | (range time [1714557600;])
                    {"equals": ["time", "2024-05"]}                      | (range time [1714521600;1717199999])
                    {"in": ["time", "2024-05-01"]}                       | (range time [1714521600;1714607999])
                    """)
    void readsTimesInJson(String json, String tree) {
        assertThat(QueryText.of(SelectJson.where(json, new Request()))).isEqualTo(tree);
    }
}
