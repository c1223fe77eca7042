package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in, records out. */
class ImportSourceTest {
    private static final String MBOX =
            """
            From ann@example.com Tue Jun  3 11:05:30 2008
            Message-ID: <1@example.com>
            From: =?UTF-8?Q?Ann_M=C3=BCller?= <ann@example.com>
            To: Ben <ben@example.com>, carl@example.com
            Subject: =?ISO-8859-1?Q?Gr=FC=DFe?=
            Date: Tue, 3 Jun 2008 11:05:30 +0200
            Content-Type: text/plain; charset=utf-8

            First line
            >From the second line

            From ben@example.com Wed Jun  4 11:05:30 2008
            From: ben@example.com
            Subject: With parts
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=xx

            --xx
            Content-Type: text/html

            <p>Only <b>HTML</b> &amp; more</p>
            --xx
            Content-Type: application/pdf; name="plan.pdf"
            Content-Disposition: attachment; filename="plan.pdf"
            Content-Transfer-Encoding: base64

            AAAA
            --xx--
            """;

    @TempDir private Path directory;

    @Test
    void readsMails() throws Exception {
        Path file = Files.writeString(directory.resolve("mail.mbox"), MBOX);

        List<Map<String, Object>> mails = records(file);

        assertThat(mails).hasSize(2);
        assertThat(mails.getFirst())
                .containsEntry("message_id", "<1@example.com>")
                .containsEntry("sender", "Ann Müller <ann@example.com>")
                .containsEntry("recipients", List.of("Ben <ben@example.com>", "carl@example.com"))
                .containsEntry("subject", "Grüße")
                .containsEntry("date", Instant.parse("2008-06-03T09:05:30Z"))
                .containsEntry("text", "First line\nFrom the second line");
        assertThat(mails.getLast())
                .containsEntry("sender", "ben@example.com")
                .containsEntry("text", "Only HTML & more")
                .containsEntry("attachments", List.of("plan.pdf"))
                .doesNotContainKeys("message_id", "recipients", "date");
    }

    @Test
    void rejectsAFileThatIsNoMailbox() throws Exception {
        Path file = Files.writeString(directory.resolve("mail.mbox"), "Subject: x\n\nhello\n");

        assertThatThrownBy(() -> records(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " is no mailbox: expected a line that begins with 'From '");
    }

    @Test
    void readsNotesWithTheirTitlesAndFolders() throws Exception {
        Path notes = Files.createDirectories(directory.resolve("My Notes"));
        Files.createDirectories(notes.resolve("garden"));
        Files.createDirectories(notes.resolve(".git"));
        Files.writeString(notes.resolve("garden/plan.md"), "Intro\n\n## The plan ##\ntomatoes\n");
        Files.writeString(notes.resolve("todo.txt"), "buy bread");
        Files.writeString(notes.resolve("picture.png"), "x");
        Files.writeString(notes.resolve(".git/notes.md"), "x");
        Instant changed = Instant.parse("2024-01-31T00:00:00Z");
        Files.setLastModifiedTime(notes.resolve("garden/plan.md"), FileTime.from(changed));

        List<Map<String, Object>> records = records(notes);

        assertThat(ImportSource.of(notes).typeName()).isEqualTo("my_notes");
        assertThat(records).hasSize(2);
        assertThat(records.getFirst())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "path", "garden/plan.md",
                                "title", "The plan",
                                "folder", "garden",
                                "changed", changed,
                                "text", "Intro\n\n## The plan ##\ntomatoes\n"));
        assertThat(records.getLast())
                .containsEntry("title", "todo")
                .containsEntry("path", "todo.txt")
                .doesNotContainKey("folder");
    }

    @Test
    void readsTablesWithOtherSeparatorsAndQuotes() throws Exception {
        assertThat(csv("\ufeffa;b\n\"x;\"\"y\"\"\nz\";2\n"))
                .containsExactly(Map.of("a", "x;\"y\"\nz", "b", 2L));
        assertThat(csv("a\tb\nx\t1.5\n\n")).containsExactly(Map.of("a", "x", "b", 1.5));
        assertThat(csv("a,b\nx\n")).containsExactly(Map.of("a", "x"));
    }

    @Test
    void saysWhereAFileIsWrong() throws Exception {
        assertThatThrownBy(() -> csv("a,b\n1,2\n1,2,3\n"))
                .hasMessage(directory.resolve("t.csv") + ", line 3: 3 values, and 2 columns");
        assertThatThrownBy(() -> csv("")).hasMessageContaining("is empty");
        Path json = Files.writeString(directory.resolve("t.jsonl"), "{\"a\": 1}\n{\"a\": x}\n");
        assertThatThrownBy(() -> records(json)).hasMessageContaining("t.jsonl, line 2: not JSON");
        Files.writeString(json, "{\"a\": 1}\n5\n");
        assertThatThrownBy(() -> records(json))
                .hasMessageContaining("t.jsonl, line 2: expected a JSON object, found 5");
    }

    /** A file whose text cannot be read is found by its name. */
    @Test
    void readsPdfFiles() throws Exception {
        Path papers = Files.createDirectories(directory.resolve("papers"));
        try (var document = new PDDocument()) {
            document.addPage(new PDPage());
            document.getDocumentInformation().setTitle("Boat");
            document.getDocumentInformation().setAuthor("Anna Berg");
            document.save(papers.resolve("a.pdf").toFile());
        }
        Files.writeString(papers.resolve("b.PDF"), "no pdf");
        var losses = new ImportLosses();
        List<Map<String, Object>> records = new ArrayList<>();
        try (RecordReader reader = ImportSource.of(papers).open(_ -> {}, losses)) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                records.add(next.get());
            }
        }

        assertThat(records).hasSize(2);
        assertThat(records.get(0))
                .containsEntry("path", "a.pdf")
                .containsEntry("title", "Boat")
                .containsEntry("author", "Anna Berg");
        assertThat(records.get(1)).containsEntry("path", "b.PDF").containsEntry("title", "b");
        assertThat(losses.lines())
                .hasSize(2)
                .contains("text: a PDF file has no text, only pictures: 1 value, first in a.pdf")
                .anyMatch(line -> line.startsWith("text: a PDF file is not read: it is damaged"));
        assertThat(ImportSource.of(papers.resolve("a.pdf")).kind())
                .isEqualTo(ImportSource.Kind.NOTE);
    }

    @Test
    void namesWhatCanBeImported() throws Exception {
        Path other = Files.writeString(directory.resolve("t.exe"), "x");

        assertThatThrownBy(() -> ImportSource.of(other))
                .hasMessageContaining("cannot import")
                .hasMessageContaining(
                        ".csv, .tsv, .jsonl, .ndjson, .json, .parquet, .mbox, .eml, .vcf, .ics, .md, .txt, .html or .pdf");
        assertThatThrownBy(() -> ImportSource.of(directory.resolve("none.csv")))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> records(Files.createDirectory(directory.resolve("empty"))))
                .hasMessageContaining("has no text, Markdown, HTML or PDF files");
    }

    private List<Map<String, Object>> csv(String text) throws Exception {
        return records(
                Files.write(directory.resolve("t.csv"), text.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Map<String, Object>> records(Path path) throws Exception {
        List<Map<String, Object>> records = new ArrayList<>();
        try (RecordReader reader = ImportSource.of(path).open()) {
            for (Optional<Map<String, Object>> next = reader.next();
                    next.isPresent();
                    next = reader.next()) {
                records.add(next.get());
            }
        }
        return records;
    }
}
