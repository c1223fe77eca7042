package org.crabro.document.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.LongValue;
import org.crabro.document.FieldValue.MapValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.FieldValue.StructValue;
import org.crabro.document.time.TimeKind;
import org.crabro.document.time.TimeParts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Selections with times as texts. All fields are at 2024-05-01T10:00:00 in their units. */
class TimeComparisonTest {
    private static final long SECOND = 1_714_557_600;
    private static final long DAY = 1_714_521_600;
    private static final StructOf EVENT =
            new StructOf("event", List.of(field("at", Primitive.LONG)));
    private static final DocumentType TYPE =
            new DocumentType(
                    "t",
                    List.of(
                            field("time", Primitive.LONG),
                            field("millis", Primitive.LONG),
                            field("micros", Primitive.LONG),
                            field("day", Primitive.LONG),
                            field("times", new ArrayOf(Primitive.LONG)),
                            field("seen", new MapOf(Primitive.STRING, Primitive.LONG)),
                            field("events", new ArrayOf(EVENT)),
                            field("plain", Primitive.LONG),
                            field("none", Primitive.LONG)));
    private static final SelectionTypes TYPES =
            SelectionTypes.of(List.of(TYPE))
                    .withTimes(
                            Map.of(
                                    "t",
                                    Map.of(
                                            "time", at(TimeKind.SECONDS),
                                            "none", at(TimeKind.SECONDS),
                                            "millis", at(TimeKind.MILLIS),
                                            "micros", at(TimeKind.MICROS),
                                            "day", at(TimeKind.DAYS),
                                            "times", at(TimeKind.SECONDS),
                                            "seen", at(TimeKind.SECONDS, "value"),
                                            "events", at(TimeKind.SECONDS, "at"))));
    private static final Document DOCUMENT =
            new Document(
                    DocumentId.parse("id:n:t:g=me:1"),
                    Map.of(
                            "time", new LongValue(SECOND),
                            "millis", new LongValue(SECOND * 1_000),
                            "micros", new LongValue(SECOND * 1_000_000),
                            "day", new LongValue(DAY),
                            "times",
                                    new ArrayValue(
                                            List.of(new LongValue(SECOND), new LongValue(0))),
                            "seen",
                                    new MapValue(
                                            Map.of(new StringValue("a"), new LongValue(SECOND))),
                            "events",
                                    new ArrayValue(
                                            List.<FieldValue>of(
                                                    new StructValue(
                                                            Map.of("at", new LongValue(SECOND))))),
                            "plain", new LongValue(SECOND)));

    private static Field field(String name, FieldType type) {
        return new Field(name, type, false);
    }

    private static TimeParts at(TimeKind kind, String... path) {
        return TimeParts.NONE.with(List.of(path), kind);
    }

    private static Truth truth(String selection) {
        return Selection.parse(selection, TYPES).of(SelectedDocument.of(DOCUMENT), SECOND + 3_600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"time", "millis", "micros"})
    void comparesEachUnit(String field) {
        for (String holds :
                List.of(
                        "F == \"2024-05-01T10:00:00Z\"",
                        "F == '2024-05-01T12:00:00+02:00'",
                        "F == \"2024-05-01\"",
                        "F = \"2024-05\"",
                        "\"2024\" == F",
                        "F != \"2024-04\"",
                        "F >= \"2024-05-01T10:00:00Z\"",
                        "F > \"2024-05-01\"",
                        "F <= \"2024-05-01\"",
                        "F < \"2024-05-02\"",
                        "\"2024-05-02\" > F",
                        "F > now() - 61m",
                        "F > now() - 1w + 1d",
                        "now() - 1h == F",
                        "F < now()")) {
            assertThat(truth(holds.replace("F", "t." + field))).as(holds).isEqualTo(Truth.TRUE);
        }
        for (String fails :
                List.of(
                        "F == \"2024-05-01T10:00:01Z\"",
                        "F == \"2024-04\"",
                        "F != \"2024-05\"",
                        "F < \"2024-05-01\"",
                        "F > \"2024-05-01T10:00:00Z\"",
                        "F <= \"2024-04\"",
                        "F >= \"2024-06\"",
                        "F > now() - 59m",
                        "F < now() - 7d")) {
            assertThat(truth(fails.replace("F", "t." + field))).as(fails).isEqualTo(Truth.FALSE);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    t.day == "2024-05-01"                        | TRUE
                    t.day == "2024-05-01T00:00:00Z"              | TRUE
                    t.day > "2024-05-01"                         | FALSE
                    t.time == "2024-05-01T10:00:00.5Z"           | FALSE
                    t.time != "2024-05-01T10:00:00.5Z"           | TRUE
                    t.times == "2024-05-01T10:00:00Z"            | TRUE
                    t.times < "1980"                             | TRUE
                    t.times > "2030"                             | FALSE
                    t.times[1] == "1970"                         | TRUE
                    t.times[$x] == "2024-05"                     | TRUE
                    t.seen{"a"} == "2024-05"                     | TRUE
                    t.seen.value >= "2024-05"                    | TRUE
                    t.events.at >= "2024-05"                     | TRUE
                    t.events[0].at == "2024-05"                  | TRUE
                    t.none == "2024-05"                          | FALSE
                    t.none != "2024-05"                          | TRUE
                    not (t.time == "2024-05" or t.time == "2023") | FALSE
                    t.plain == "2024-05"                         | INVALID
                    t.seen.key == "2024-05"                      | FALSE
                    t.time == 1714557600                         | TRUE
                    t.time > now() - 7200                        | TRUE
                    7d == 604800                                 | TRUE
                    -1m == -60                                   | TRUE
                    """)
    void comparesParts(String selection, Truth expected) {
        assertThat(truth(selection)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    t.time > "2024-13"          | since the month is 13
                    t.time > ""                 | is no time
                    t.time > "yesterday"        | is no time
                    t.time > "now() - 7d"       | Expected now() without quotes
                    t.times == "2024-05"        | since the field has several values
                    t.events.at == "2024-05-01" | since the field has several values
                    t.time > now() - 7y         | Expected
                    t.time > now() - 99999999999d | Expected a period of at most 10 digits
                    """)
    void saysWhatIsWrong(String selection, String message) {
        assertThatThrownBy(() -> truth(selection))
                .isInstanceOf(InvalidSelectionException.class)
                .hasMessageContaining(message);
    }

    /** The longest texts, and the most steps: the message and the time are bounded. */
    @Test
    void boundsWhatALiarSends() {
        String longest = "2".repeat(Selection.LENGTH_MAX - 20);

        assertThatThrownBy(() -> truth("t.time > \"" + longest + "\""))
                .isInstanceOf(InvalidSelectionException.class)
                .satisfies(e ->
                        assertThat(String.valueOf(e.getMessage()).lines().findFirst())
                                .hasValueSatisfying(
                                        line -> assertThat(line.length()).isLessThan(1_000)));
        assertThat(truth("t.millis < now()" + " + 9s".repeat(10_000))).isEqualTo(Truth.TRUE);
        assertThat(truth("t.micros < now() + 9999999999w")).isInstanceOf(Truth.class);
    }
}
