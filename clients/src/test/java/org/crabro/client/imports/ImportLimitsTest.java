package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.crabro.client.cli.CommandErrors;
import org.crabro.client.cli.ImportCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Files that would take all memory, the stack or hours. */
class ImportLimitsTest {
    @TempDir private Path directory;

    /** Writes the content of a file. */
    interface Content {
        void write(Writer out) throws IOException;
    }

    /** An attack: the name of a file, what it contains, and the message that refuses it. */
    record Attack(String what, String name, Content content, String message) {
        @Override
        public String toString() {
            return what;
        }
    }

    static List<Attack> attacks() {
        return List.of(
                new Attack(
                        "CSV_COLUMNS",
                        "a.csv",
                        out -> repeat(out, 300_000, i -> "c" + i + ","),
                        "line 1: more than 5,000 columns, which is the limit"),
                new Attack(
                        "CSV_EQUAL_COLUMNS",
                        "a.csv",
                        out -> repeat(out, 300_000, _ -> "c,"),
                        "line 1: more than 5,000 columns, which is the limit"),
                new Attack(
                        "CSV_QUOTE",
                        "a.csv",
                        out -> {
                            out.write("a,b\n1,2\n3,\"");
                            repeat(out, 2_000_000, _ -> "0123456789\n");
                        },
                        "more than 16,777,216 characters in a row, which is the limit; perhaps a quote is not closed"),
                new Attack(
                        "CSV_QUOTE_IN_FIRST_LINE",
                        "a.csv",
                        out -> {
                            out.write("a,\"b");
                            repeat(out, 2_000_000, _ -> "0123456789");
                        },
                        "line 1: more than 16,777,216 characters in a row"),
                new Attack(
                        "CSV_VALUES",
                        "a.csv",
                        out -> {
                            out.write("a,b\n");
                            repeat(out, 9_000_000, _ -> "1,");
                        },
                        "more than 16,777,216 characters in a row"),
                new Attack(
                        "JSON_LISTS",
                        "a.json",
                        out -> {
                            out.write("{\"a\":1}\n{\"a\":");
                            repeat(out, 50_000, _ -> "[");
                        },
                        "line 2: more than 100 lists and objects inside each other, which is the limit"),
                new Attack(
                        "JSON_OBJECTS",
                        "a.jsonl",
                        out -> repeat(out, 50_000, _ -> "{\"a\":"),
                        "line 1: more than 100 lists and objects inside each other, which is the limit"),
                new Attack(
                        "JSON_LISTS_AROUND",
                        "a.json",
                        out -> repeat(out, 50_000, _ -> "["),
                        "line 1: too large: "),
                new Attack(
                        "JSON_MEMBERS",
                        "a.json",
                        out -> {
                            out.write("{\"a\":1}\n{");
                            repeat(out, 300_000, i -> "\"k" + i + "\":1,");
                            out.write("\"z\":1}\n");
                        },
                        "line 2: more than 5,000 members in an object, which is the limit"),
                new Attack(
                        "JSON_MEMBERS_OF_ALL",
                        "a.jsonl",
                        out -> repeat(out, 300_000, i -> "{\"k" + i + "\":1}\n"),
                        "record 5,001: more than 5,000 different members in all records"),
                new Attack(
                        "JSON_VALUES",
                        "a.json",
                        out -> {
                            out.write("{\"a\":[");
                            repeat(out, 1_100_000, _ -> "1,");
                            out.write("1]}");
                        },
                        "line 1: more than 1,000,000 values in an object, which is the limit"),
                new Attack(
                        "MAIL_MULTIPARTS",
                        "a.mbox",
                        out -> {
                            out.write("From a\n");
                            repeat(
                                    out,
                                    50_000,
                                    i ->
                                            "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n"
                                                    .formatted(i, i));
                        },
                        "mail 1: more than 50 parts inside each other, which is the limit"),
                new Attack(
                        "MAIL_MESSAGES",
                        "a.mbox",
                        out -> {
                            out.write("From a\n");
                            repeat(out, 50_000, _ -> "Content-Type: message/rfc822\n\n");
                        },
                        "mail 1: more than 50 parts inside each other, which is the limit"),
                new Attack(
                        "MAIL_PARTS",
                        "a.mbox",
                        out -> {
                            out.write("From a\nContent-Type: multipart/mixed; boundary=b\n\n");
                            repeat(out, 50_000, _ -> "--b\n\nx\n");
                        },
                        "mail 1: more than 10,000 parts, which is the limit"),
                new Attack(
                        "MAIL_HEADERS",
                        "a.mbox",
                        out -> {
                            out.write("From a\nSubject: x\n");
                            repeat(out, 300_000, i -> "X-A: " + i + "\n");
                            out.write("\ntext\n");
                        },
                        "mail 1: "),
                new Attack(
                        "MAIL_HEADER",
                        "a.mbox",
                        out -> {
                            out.write("From a\nTo: ");
                            repeat(out, 300_000, i -> "a" + i + "@example.com,\n ");
                            out.write("b@example.com\n\ntext\n");
                        },
                        "mail 1: "));
    }

    private static void repeat(Writer out, int count, IntFunction<String> part) throws IOException {
        for (int i = 0; i < count; i++) {
            out.write(part.apply(i));
        }
    }

    private Path file(Attack attack) throws IOException {
        Path file = directory.resolve(attack.name);
        try (Writer out = Files.newBufferedWriter(file)) {
            attack.content.write(out);
        }
        return file;
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void refusesAFileThatIsTooLargeWithItsPlace(Attack attack) throws IOException {
        Path file = file(attack);
        var out = new StringWriter();
        var err = new StringWriter();

        int status =
                new CommandLine(new ImportCommand())
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .setExecutionExceptionHandler(new CommandErrors())
                        .execute(
                                file.toString(),
                                "--dry-run",
                                "--package",
                                directory.resolve("package").toString());

        assertThat(err.toString()).contains(attack.message).doesNotContain("\tat ");
        assertThat(err.toString().lines()).hasSizeLessThan(4);
        assertThat(status).isEqualTo(1);
        assertThat(directory.resolve("package")).doesNotExist();
    }

    @Test
    void readsRecordsBelowTheLimits() throws IOException {
        Path table = directory.resolve("b.csv");
        try (Writer out = Files.newBufferedWriter(table)) {
            repeat(out, 4_999, i -> "c" + i + ",");
            out.write("end\n");
            repeat(out, 4_999, _ -> "1,");
            out.write("2\n");
        }
        String nested = "[".repeat(90) + "1" + "]".repeat(90);
        Path json = Files.writeString(directory.resolve("b.json"), "{\"a\":" + nested + "}");
        Path keys = directory.resolve("c.json");
        try (Writer out = Files.newBufferedWriter(keys)) {
            out.write("{\"a\":{");
            repeat(out, 300_000, i -> "\"k" + i + "\":1,");
            out.write("\"z\":1}}");
        }

        assertThat(records(table).getFirst()).hasSize(5_000).containsEntry("end", 2L);
        assertThat(records(json)).hasSize(1);
        // The others of many members inside a record are stored as JSON.
        try (RecordReader reader = ImportSource.of(keys).open()) {
            assertThat(SchemaGuess.of("a", reader, _ -> {}).fields())
                    .hasSize(501)
                    .last()
                    .satisfies(
                            field -> assertThat(field.type()).isEqualTo(new GuessedType.Others()));
        }
    }

    /** A title with many blanks is read in one pass. */
    @Test
    void readsATitleOfAnyForm() throws IOException {
        Path notes = Files.createDirectory(directory.resolve("notes"));
        String blanks = " ".repeat(2_000_000);
        Files.writeString(notes.resolve("a.md"), "# Title" + blanks + "end ## \n");
        Files.writeString(notes.resolve("b.md"), "## Plans ##\n");
        Files.writeString(notes.resolve("c.md"), "#  #\n");

        assertThat(records(notes).stream().map(each -> each.get("title")))
                .containsExactly("Title" + blanks + "end", "Plans", "c");
    }

    @Test
    void leavesOutLinksThatLeadOutOfTheDirectory() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret.md"), "secret");
        Path others = Files.createDirectories(directory.resolve("others/deep"));
        Files.writeString(others.resolve("other.md"), "other");
        Path notes = Files.createDirectory(directory.resolve("notes"));
        Path own = Files.writeString(notes.resolve("own.md"), "own");
        Files.createSymbolicLink(notes.resolve("leaving.md"), secret);
        Files.createSymbolicLink(notes.resolve("relative.md"), Path.of("..", "secret.md"));
        Files.createSymbolicLink(notes.resolve("others"), others.getParent());
        Files.createSymbolicLink(notes.resolve("inside.md"), own);
        Files.createSymbolicLink(notes.resolve("loop"), notes);
        Files.createSymbolicLink(notes.resolve("broken.md"), directory.resolve("none.md"));
        var left = new ArrayList<Path>();
        ImportSource source = ImportSource.of(notes);

        assertThat(paths(source.open(left::add, new ImportLosses())))
                .containsExactly("inside.md", "own.md");
        assertThat(left)
                .containsExactlyInAnyOrder(
                        notes.resolve("leaving.md"),
                        notes.resolve("relative.md"),
                        notes.resolve("others"));
        assertThat(paths(source.followingLinks().open()))
                .containsExactly(
                        "inside.md", "leaving.md", "others/deep/other.md", "own.md", "relative.md");
    }

    @Test
    void aDirectoryThatIsALinkIsRead() throws IOException {
        Path notes = Files.createDirectory(directory.resolve("notes"));
        Files.writeString(notes.resolve("own.md"), "own");
        Path link = Files.createSymbolicLink(directory.resolve("link"), notes);

        assertThat(paths(ImportSource.of(link).open())).containsExactly("own.md");
    }

    private static List<Object> paths(RecordReader reader) throws IOException {
        return all(reader).stream().map(each -> each.get("path")).toList();
    }

    private static List<Map<String, Object>> records(Path path) throws IOException {
        return all(ImportSource.of(path).open());
    }

    private static List<Map<String, Object>> all(RecordReader reader) throws IOException {
        try (reader) {
            var all = new ArrayList<Map<String, Object>>();
            for (Optional<Map<String, Object>> next = reader.next();
                    next.isPresent();
                    next = reader.next()) {
                all.add(next.get());
            }
            return all;
        }
    }

    @Test
    void namesTheDirectoryWithoutTexts() {
        assertThatThrownBy(() -> ImportSource.of(directory).open())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no text, Markdown, HTML or PDF files");
    }
}
