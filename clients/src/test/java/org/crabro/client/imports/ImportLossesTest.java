package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.crabro.client.cli.CommandErrors;
import org.crabro.client.cli.ImportCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Values that cannot be stored as they are given. */
class ImportLossesTest {
    @TempDir private Path directory;

    private final StringWriter err = new StringWriter();

    /**
     * A file with such values.
     *
     * @param name of the file, below the directory
     * @param imported what is imported: the file, or a directory above it
     * @param content each character is a byte
     * @param line that reports the loss
     */
    record Loss(String name, String imported, String content, String line) {
        @Override
        public String toString() {
            return line;
        }
    }

    private static Loss loss(String name, String content, String line) {
        return new Loss(name, name, content, line);
    }

    static List<Loss> losses() {
        String mail = "From ann@example.com Tue Jun  3 11:05:30 2008\nFrom: ann@example.com\n";
        return List.of(
                loss(
                        "a.jsonl",
                        "{\"a\":1}\n{\"a\":1,\"a\":2}\n{\"a\":3,\"a\":null}\n",
                        "a: several values in one object, of which the last is stored: 2 values,"
                                + " first in line 2"),
                loss(
                        "a.jsonl",
                        "{\"a\":1}\n{\"b\":{\"c\":\"x\\u0001\"}}\n",
                        "b.c: characters that no text of a document can have become blanks: 1"
                                + " value, first in line 2"),
                loss(
                        "a.jsonl",
                        "{\"a\":[\"\\ud800\"]}\n",
                        "a: characters that no text of a document can have become blanks: 1 value,"
                                + " first in line 1"),
                loss(
                        "a.jsonl",
                        "{\"a\":[{\"b\\u0001\":1}]}\n",
                        "a.b\u0001: characters that no text of a document can have become blanks: 1"
                                + " value, first in line 1"),
                loss(
                        "a.csv",
                        "a,b\n1,x\f\n2,y\n3,z\f\n",
                        "b: characters that no text of a document can have become blanks: 2 values,"
                                + " first in line 2"),
                loss(
                        "a.csv",
                        "a,b\n1,21\u001e\n2,3\n",
                        "b: characters that no text of a document can have become blanks: 1 value,"
                                + " first in line 2"),
                loss(
                        "a.mbox",
                        mail + "\nhello\n\n" + mail + "\n" + "word ".repeat(300_000),
                        "text: cut after 1,048,576 characters: 1 value, first in mail 2"),
                loss(
                        "a.mbox",
                        mail + "Date: yesterday\n\nhello\n",
                        "date: left out because it is no date: 1 value, first in mail 1"),
                loss(
                        "a.mbox",
                        mail + "Content-Type: text/plain; charset=windows-1253\n\nhello \u00aa",
                        "text: bytes that are not in its character set replaced: 1 value, first in"
                                + " mail 1"),
                new Loss(
                        "mails/a.eml",
                        "mails",
                        "From: ann@example.com\nContent-Disposition: attachment;"
                                + " filename==?windows-1253?q?=AA?=\n\nhello\n",
                        "attachments: bytes that are not in its character set replaced: 1 value,"
                                + " first in mail 1"));
    }

    private int imports(Loss loss, String... options) throws IOException {
        Path file = directory.resolve(loss.name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, loss.content, StandardCharsets.ISO_8859_1);
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                directory.resolve(loss.imported).toString(),
                                "--dry-run",
                                "--package=" + directory.resolve("package")));
        arguments.addAll(List.of(options));
        return new CommandLine(new ImportCommand())
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err))
                .setExecutionExceptionHandler(new CommandErrors())
                .execute(arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("losses")
    void endsWithStatus1AndNamesColumnCountAndFirstPlace(Loss loss) throws IOException {
        assertThat(imports(loss)).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo(
                        loss.line
                                + "\nThese values are not stored as they are given; with --lossy the"
                                + " exit status is 0.\n");
    }

    @ParameterizedTest
    @MethodSource("losses")
    void endsWithStatus0IfLossesAreAccepted(Loss loss) throws IOException {
        assertThat(imports(loss, "--lossy")).isZero();
        assertThat(err.toString()).isEqualTo(loss.line + "\n");
    }

    @Test
    void countsTheColumnsBeyondALimitTogether() {
        var losses = new ImportLosses();
        for (int i = 0; i < 1_000; i++) {
            losses.add("c" + i, "cut", "line " + i);
        }

        assertThat(losses.lines())
                .hasSize(201)
                .contains("c199: cut: 1 value, first in line 199")
                .endsWith("other columns: cut: 800 values, first in line 200");
    }

    @Test
    void keepsAllSendersOfAMail() throws IOException {
        Path file =
                Files.writeString(
                        directory.resolve("a.mbox"),
                        """
                        From ann@example.com Tue Jun  3 11:05:30 2008
                        From: Ann <ann@example.com>, ben@example.com

                        hello
                        """);

        assertThat(ImportedFile.of(file).value(0, "sender"))
                .isEqualTo("\"Ann <ann@example.com>, ben@example.com\"");
    }
}
