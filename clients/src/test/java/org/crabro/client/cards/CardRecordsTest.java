package org.crabro.client.cards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cards and calendars in, records out. */
class CardRecordsTest {
    private final List<String> losses = new ArrayList<>();

    private List<Map<String, Object>> read(String text) throws IOException {
        var records = new CardRecords(text, (field, change) -> losses.add(field + ": " + change));
        List<Map<String, Object>> all = new ArrayList<>();
        for (Optional<Map<String, Object>> next = records.next();
                next.isPresent();
                next = records.next()) {
            all.add(next.get());
        }
        return all;
    }

    @Test
    void readsContacts() throws Exception {
        assertThat(
                        read(
                                """
                                BEGIN:VCARD
                                VERSION:4.0
                                UID:urn:uuid:1
                                FN:Ann Example
                                N:Example;Ann;;Dr.;
                                EMAIL;TYPE=home:ann@example.com
                                item1.EMAIL:a@example.org
                                TEL;VALUE=uri:tel:+47-1
                                ADR;TYPE=home:;;Main St 1\\, 2nd floor;Oslo;;0150;Norway
                                BDAY:19900501
                                ORG:Example Inc.;Boats
                                CATEGORIES:friends,sea
                                NOTE:Two\\nlines\\; with
                                  a folded word
                                PHOTO:data:image/png;base64,AAAA
                                X-SKYPE:ann.e
                                END:VCARD
                                """))
                .containsExactly(
                        Map.ofEntries(
                                Map.entry("uid", "urn:uuid:1"),
                                Map.entry("name", "Ann Example"),
                                Map.entry("emails", List.of("ann@example.com", "a@example.org")),
                                Map.entry("phones", List.of("+47-1")),
                                Map.entry(
                                        "addresses",
                                        List.of("Main St 1, 2nd floor, Oslo, 0150, Norway")),
                                Map.entry("birthday", "1990-05-01"),
                                Map.entry("organization", "Example Inc., Boats"),
                                Map.entry("categories", List.of("friends", "sea")),
                                Map.entry("text", "Two\nlines; with a folded word"),
                                Map.entry("x-skype", "ann.e")));
        assertThat(losses).isEmpty();
    }

    @Test
    void readsQuotedPrintableOfOldCards() throws Exception {
        assertThat(
                        read(
                                """
                                BEGIN:VCARD
                                VERSION:2.1
                                N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg
                                NOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0A=
                                two =C3=A9=
                                 three=3D
                                END:VCARD
                                BEGIN:vcard
                                TEL;CELL;PREF:+1
                                END:VCARD
                                """))
                .containsExactly(
                        Map.of("name", "Jörg Müller", "text", "one\r\ntwo é three="),
                        Map.of("phones", List.of("+1")));
    }

    @Test
    void readsEvents() throws Exception {
        assertThat(
                        read("""
                        BEGIN:VCALENDAR
                        VERSION:2.0
                        BEGIN:VTIMEZONE
                        TZID:Europe/Oslo
                        END:VTIMEZONE
                        BEGIN:VEVENT
                        UID:1@x
                        DTSTAMP:20240101T000000Z
                        SUMMARY:Boat trip
                        DTSTART;TZID=Europe/Oslo:20240501T100000
                        DURATION:PT1H30M
                        LOCATION:Harbour\\, pier 2
                        ORGANIZER;CN="Ann: E":mailto:ann@example.com
                        ATTENDEE:MAILTO:ben@example.com
                        RRULE:FREQ=WEEKLY
                        BEGIN:VALARM
                        SUMMARY:no
                        END:VALARM
                        END:VEVENT
                        BEGIN:VEVENT
                        UID:2@x
                        DTSTART;VALUE=DATE:20240501
                        DTEND;VALUE=DATE:20240502
                        END:VEVENT
                        END:VCALENDAR
                        """)
                                .toString())
                .isEqualTo(
                        "[{kind=event, uid=1@x, title=Boat trip, start=2024-05-01T08:00:00Z,"
                                + " all_day=false, zone=Europe/Oslo, location=Harbour, pier 2,"
                                + " organizer=Ann: E <ann@example.com>, attendees=[ben@example.com],"
                                + " repeats=FREQ=WEEKLY, end=2024-05-01T09:30:00Z},"
                                + " {kind=event, uid=2@x, start=2024-05-01T00:00:00Z, all_day=true,"
                                + " end=2024-05-02T00:00:00Z}]");
        assertThat(losses).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "DTSTART:20240230T100000Z           | start: left out because it is no time",
                "DTSTART;TZID=Mars/North:20240501T100000 | start: read as UTC because its zone is unknown",
                "DURATION:long                      | end: left out because the duration is none",
                "ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA | attachments: bytes in the calendar left out",
                "DTSTART:99999999999999999999       | start: left out because it is no time",
            })
    void reportsWhatItCannotKeep(String line, String loss) throws Exception {
        assertThat(read("BEGIN:VEVENT\n" + line + "\nEND:VEVENT\n")).hasSize(1);
        assertThat(losses).contains(loss);
    }

    @Test
    void endsAtItsLimits() {
        assertThatThrownBy(() -> read("BEGIN:VCARD\n" + "NOTE:x\n".repeat(10_001)))
                .isInstanceOf(IOException.class)
                .hasMessage("line 10002: more than 10,000 lines in a VCARD, which is the limit");
        assertThatThrownBy(() -> read("BEGIN:VEVENT\n" + "BEGIN:VALARM\n".repeat(1_000_000)))
                .hasMessage(
                        "line 102: more than 100 components inside each other, which is the limit");
        assertThatThrownBy(() -> read("\nBEGIN:VCARD\nFN:x\n"))
                .hasMessage("line 2: a VCARD without an end");
    }

    @Test
    void readsHugeLinesInLinearTime() throws Exception {
        String folded = "NOTE:" + "x\n ".repeat(1_000_000);
        String soft = "NOTE;QUOTED-PRINTABLE:" + "=\n".repeat(1_000_000);
        String parameters = "NOTE" + ";A=b".repeat(200_000) + ":x";
        String backslashes = "CATEGORIES:" + "\\".repeat(1_000_001);
        for (String line : List.of(folded, soft, parameters, backslashes, ";".repeat(1_000_000))) {
            assertThat(read("BEGIN:VCARD\n" + line + "\n\nEND:VCARD\n")).hasSize(1);
        }
        assertThat(read("")).isEmpty();
        assertThat(read("END:VCARD\nBEGIN\n:\n;:\nBEGIN:\n=\n")).isEmpty();
    }
}
