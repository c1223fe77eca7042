package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notes, pages, contacts, events and chats. */
class FileKindsTest {
    @TempDir private Path directory;
    private final ImportLosses losses = new ImportLosses();

    private Path file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private List<Map<String, Object>> read(Path path) throws IOException {
        List<Map<String, Object>> all = new ArrayList<>();
        try (RecordReader records = ImportSource.of(path).open(_ -> {}, losses)) {
            for (Optional<Map<String, Object>> next = records.next();
                    next.isPresent();
                    next = records.next()) {
                next.get().remove("changed");
                all.add(next.get());
            }
        }
        return all;
    }

    @Test
    void makesFieldsOfFrontMatter() throws Exception {
        file(
                "n/a.md",
                """
                ---
                title: Boat
                date: 2024-05-01
                tags: sea, wind
                price: 1.5
                path: mine
                done: true
                author: {name: Ann}
                list: [1, ~]
                ---
                # Heading
                Text
                """);
        file("n/b.md", "Text\n\nB\n===\n");
        file("n/c.txt", "---\na: b: c\n---\n");

        List<Map<String, Object>> notes = read(directory.resolve("n"));

        assertThat(notes.getFirst().toString())
                .isEqualTo(
                        "{path=a.md, title=Boat, date=2024-05-01, tags=[sea, wind], price=1.5,"
                                + " path 2=mine, done=true, author.name=Ann, list=[1, NULL],"
                                + " text=# Heading\nText\n}");
        assertThat(notes.get(1)).containsEntry("title", "B");
        assertThat(notes.get(2))
                .containsEntry("title", "c")
                .containsEntry("text", "---\na: b: c\n---\n");
        assertThat(losses.lines())
                .containsExactly(
                        "front matter: not read, and left in the text: mapping values are not allowed"
                                + " here in line 2: 1 value, first in c.txt");
        assertThat(ImportedFile.of(directory.resolve("n")).fields())
                .contains("date Time", "tags Array(Text)", "price Decimal", "done Truth");
    }

    @Test
    void readsPagesWithoutScripts() throws Exception {
        Path page =
                file(
                        "p/a.html",
                        "<title> A  page </title><style>p{}</style><script>evil()</script>"
                                + "<h1>Head</h1><p>One<br>two &amp; <b>three</b>");
        file("p/b.htm", "<h1>Only a heading</h1>text");
        Files.write(
                directory.resolve("p/c.html"),
                "<meta charset=iso-8859-1><p>Größe".getBytes(StandardCharsets.ISO_8859_1));

        List<Map<String, Object>> pages = read(directory.resolve("p"));

        assertThat(pages)
                .containsExactly(
                        Map.of("path", "a.html", "title", "A page", "text", "Head One two & three"),
                        Map.of(
                                "path",
                                "b.htm",
                                "title",
                                "Only a heading",
                                "text",
                                "Only a heading text"),
                        Map.of("path", "c.html", "title", "c", "text", "Größe"));
        assertThat(read(page)).containsExactly(pages.getFirst());
    }

    @Test
    void readsPagesOfAnyDepth() throws Exception {
        Path deep = file("a.html", "<div>".repeat(1_000_000) + "end");
        Path open = file("b.html", "<a ".repeat(1_000_000) + "<!--" + "<".repeat(1_000_000));

        assertThat(read(deep).getFirst().get("text")).isEqualTo("end");
        assertThat(read(open)).hasSize(1);
    }

    @Test
    void readsContactsAndEventsByTheirIds() throws Exception {
        Path contacts =
                file(
                        "a.vcf",
                        "BEGIN:VCARD\nUID:u1\nFN:Ann\nEND:VCARD\nBEGIN:VCARD\nFN:Ben\nEND:VCARD\n");
        Path events =
                file(
                        "a.ics",
                        """
                        BEGIN:VEVENT
                        UID:e
                        DTSTART:20240501T100000Z
                        END:VEVENT
                        BEGIN:VEVENT
                        UID:e
                        RECURRENCE-ID:20240508T100000Z
                        END:VEVENT
                        """);

        assertThat(names(contacts)).containsExactly("u1", "2");
        assertThat(names(events)).containsExactly("e", "e#2024-05-08T10:00:00Z");
        assertThat(ImportedFile.of(events).fields()).contains("start Time");
        assertThatThrownBy(() -> read(file("b.vcf", "BEGIN:VCARD\n")))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("b.vcf, line 1: a VCARD without an end");
    }

    private static List<String> names(Path path) throws IOException {
        List<String> names = new ArrayList<>();
        try (RecordReader records = ImportSource.of(path).open()) {
            while (records.next().isPresent()) {
                names.add(records.name().orElseThrow());
            }
        }
        return names;
    }

    @Test
    void readsMailDirectories() throws Exception {
        file("m/cur/1.a:2,S", "Message-ID: <1@x>\n\none");
        file("m/new/2.b", "Subject: two\n\ntwo");
        file("m/tmp/3.c", "Subject: incomplete\n\n");
        file("m/.Sent/cur/4.d:2,RS", "Subject: four\n\nfour");
        Files.createDirectories(directory.resolve("m/.Sent/new"));
        Files.createDirectories(directory.resolve("m/.Sent/tmp"));
        Path mails = directory.resolve("m");

        assertThat(names(mails)).containsExactly(".Sent/cur/4.d#1", "<1@x>", "new/2.b#1");
        assertThat(read(mails))
                .extracting(each -> each.get("text"))
                .containsExactly("four", "one", "two");
    }

    @Test
    void readsChats() throws Exception {
        Path text = file("chat.txt", "31.12.23, 22:05 - Ann: hi\n31.12.23, 22:06 - Ben: ho\n");
        Path telegram =
                file(
                        "telegram.json",
                        """
                        {"about": "x", "chats": {"list": [{"name": "Sea", "type": "private", "messages": [
                          {"id": 1, "type": "message", "date": "2024-05-01T10:00:00", "date_unixtime": "1714550400",
                           "from": "Ann", "from_id": "u1", "text": ["see ", {"type": "link", "text": "x.com"}],
                           "text_entities": [{"type": "plain", "text": "see "}, {"type": "link", "text": "x.com"}]}]},
                          {"name": "Wind", "messages": [
                          {"id": 1, "type": "service", "date": "2024-05-02T10:00:00", "actor": "Ben", "text": "",
                           "text_entities": []}]}]}}
                        """);
        Path discord =
                file(
                        "discord.json",
                        """
                        {"guild": {"name": "G"}, "channel": {"id": "5", "name": "general"}, "messages": [
                          {"id": "9", "type": "Default", "timestamp": "2024-05-01T10:00:00+00:00",
                           "content": "hi", "author": {"id": "1", "name": "ann", "nickname": "Ann"}}]}
                        """);
        Path matrix =
                file(
                        "matrix.json",
                        """
                        {"room_name": "R", "messages": [{"type": "m.room.message", "event_id": "$1",
                          "sender": "@ann:x", "origin_server_ts": 1714550400000,
                          "content": {"msgtype": "m.text", "body": "hi"}}]}
                        """);
        Path slack =
                file(
                        "slack.json",
                        """
                        [{"type": "message", "user": "U1", "text": "hi", "ts": "1714550400.000200"}]
                        """);

        assertThat(read(text))
                .extracting(each -> each.get("sender") + " " + each.get("text"))
                .containsExactly("Ann hi", "Ben ho");
        assertThat(read(telegram).toString())
                .startsWith(
                        "[{id=1, date=2024-05-01T08:00:00Z, sender=Ann, chat=Sea, text=see x.com, type=message")
                .contains(
                        "{id=1, chat=Wind, text=, type=service, date=2024-05-02T10:00:00, actor=Ben");
        assertThat(read(discord).toString())
                .startsWith(
                        "[{id=9, date=2024-05-01T10:00:00+00:00, sender=Ann, chat=general, text=hi,"
                                + " type=Default");
        assertThat(read(matrix).toString())
                .startsWith("[{id=$1, date=2024-05-01T08:00:00Z, sender=@ann:x, chat=R, text=hi");
        assertThat(read(slack).toString())
                .isEqualTo(
                        "[{date=2024-05-01T08:00:00.000200Z, sender=U1, text=hi, type=message}]");
    }

    @Test
    void readsOtherObjectsWithMessagesAsBefore() throws Exception {
        Path other =
                file("a.json", "{\"name\": \"x\", \"messages\": [{\"id\": 1, \"text\": \"hi\"}]}");
        Path cut =
                file(
                        "b.json",
                        "{\"messages\": [{\"id\": 1, \"type\": \"m\", \"date\": \"\", \"text\": \"\"}, {");

        assertThat(read(other).toString()).isEqualTo("[{name=x, messages=[{id=1, text=hi}]}]");
        assertThatThrownBy(() -> read(cut))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("b.json, line 1: not JSON");
    }

    @Test
    void rejectsFilesThatAreTooLargeBeforeTheyAreRead() throws Exception {
        for (String name : List.of("a.vcf", "a.ics", "a.md")) {
            Path large = directory.resolve(name);
            try (var out = new RandomAccessFile(large.toFile(), "rw")) {
                out.setLength(1L << 33);
            }
            assertThatThrownBy(() -> read(large))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching(".* has more than [0-9,]+ bytes");
        }
    }

    @Test
    void listsTheFilesThatAreNotRead() throws Exception {
        file("n/a.md", "x");
        file("n/table.csv", "a\n1\n");
        file("n/b.JPG", "x");
        file("n/c.jpg", "x");
        file("n/.git/config", "x");
        file("n/Makefile", "x");
        Path notes = directory.resolve("n");

        assertThat(ImportSource.of(notes).skipped())
                .containsExactly(
                        "Left out: 1 .csv, 2 .jpg, 1 without an ending",
                        notes.resolve("table.csv").toString());
        assertThat(ImportSource.of(notes.resolve("a.md")).skipped()).isEmpty();
    }
}
