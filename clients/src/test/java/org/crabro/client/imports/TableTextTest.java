package org.crabro.client.imports;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.client.cli.CommandErrors;
import org.crabro.client.cli.ImportCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Tables and texts in several character sets. */
class TableTextTest {
    private static final String TABLE = "name,city\nJörg,Zürich\nÅsa,Malmö\n";

    @TempDir private Path directory;

    private Path table(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("t.csv"), bytes);
    }

    private static byte[] marked(int first, int second, byte[] text) {
        var out = new ByteArrayOutputStream();
        out.write(first);
        out.write(second);
        out.writeBytes(text);
        return out.toByteArray();
    }

    private static List<Map<String, Object>> rows(ImportSource source) throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        try (RecordReader reader = source.open()) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                rows.add(next.get());
            }
        }
        return rows;
    }

    private static void assertIsTable(List<Map<String, Object>> rows) {
        assertThat(rows)
                .containsExactly(
                        Map.of("name", "Jörg", "city", "Zürich"),
                        Map.of("name", "Åsa", "city", "Malmö"));
    }

    @Test
    void detectsUtf16AndUtf8() throws IOException {
        assertIsTable(rows(ImportSource.of(table(TABLE.getBytes(UTF_8)))));
        assertIsTable(rows(ImportSource.of(table(("\ufeff" + TABLE).getBytes(UTF_8)))));
        assertIsTable(rows(ImportSource.of(table(marked(0xff, 0xfe, TABLE.getBytes(UTF_16LE))))));
        assertIsTable(rows(ImportSource.of(table(marked(0xfe, 0xff, TABLE.getBytes(UTF_16BE))))));
        assertIsTable(rows(ImportSource.of(table(TABLE.getBytes(UTF_16LE)))));
        assertIsTable(rows(ImportSource.of(table(TABLE.getBytes(UTF_16BE)))));
    }

    @ParameterizedTest
    @CsvSource({
        "latin1, ISO-8859-1",
        "windows-1252, windows-1252",
        "iso-8859-15, ISO-8859-15",
        "utf-16le, UTF-16LE",
        "utf-8, UTF-8"
    })
    void readsATableInAGivenSet(String name, String set) throws IOException {
        Path file = table(TABLE.getBytes(Charset.forName(set)));

        assertIsTable(rows(ImportSource.of(file).in(name)));
    }

    @Test
    void refusesOtherBytesWithTheirPlaceAndTheOption() throws IOException {
        Path first = table(TABLE.getBytes(Charset.forName("windows-1252")));
        assertThatThrownBy(() -> rows(ImportSource.of(first)))
                .hasMessage(
                        first
                                + ", line 2: the bytes f6 are no UTF-8. Name its character set, such as --encoding windows-1252");

        var late = new StringBuilder("name,city\n");
        for (int i = 0; i < 50_000; i++) {
            late.append("Ärger,").append(i).append('\n');
        }
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(late.toString().getBytes(UTF_8));
        bytes.writeBytes("x\u00e9,1\n".getBytes(Charset.forName("windows-1252")));
        Path second = table(bytes.toByteArray());
        assertThatThrownBy(() -> rows(ImportSource.of(second)))
                .hasMessageContaining(second + ", line 50,002: the bytes e9 are no UTF-8.");

        Path cut = table(new byte[] {'a', '\n', 'b', (byte) 0xe2, (byte) 0x82});
        assertThatThrownBy(() -> rows(ImportSource.of(cut)))
                .hasMessageContaining(", line 2: the bytes e2 82 are no UTF-8.");

        Path given = table(new byte[] {'a', '\n', 'b', (byte) 0xff, '\n'});
        assertThatThrownBy(() -> rows(ImportSource.of(given).in("iso-8859-6")))
                .hasMessageContaining(", line 2: the bytes ff are no ISO-8859-6.");
    }

    @Test
    void refusesAnUnknownSetAndOtherFiles() throws IOException {
        Path table = table(TABLE.getBytes(UTF_8));
        assertThatThrownBy(() -> ImportSource.of(table).in("nonsense"))
                .hasMessage(
                        "--encoding is 'nonsense': expected a character set, such as windows-1252 or utf-16le");
        Path mails = Files.writeString(directory.resolve("a.mbox"), "");
        assertThatThrownBy(() -> ImportSource.of(mails).in("latin1"))
                .hasMessage(
                        "--encoding is for .csv, .tsv and directories of text files, and not for "
                                + mails);
    }

    @Test
    void theCommandHasTheOption() throws IOException {
        Path file = table(TABLE.getBytes(Charset.forName("windows-1252")));
        var err = new StringWriter();
        CommandLine command =
                new CommandLine(new ImportCommand())
                        .setOut(new PrintWriter(new StringWriter()))
                        .setErr(new PrintWriter(err))
                        .setExecutionExceptionHandler(new CommandErrors());
        String package_ = directory.resolve("package").toString();

        assertThat(command.execute(file.toString(), "--dry-run", "--package", package_))
                .isEqualTo(1);
        assertThat(err.toString())
                .contains("line 2")
                .contains("--encoding")
                .doesNotContain("\tat ");
        assertThat(
                        command.execute(
                                file.toString(),
                                "--dry-run",
                                "--package",
                                package_,
                                "--encoding",
                                "latin1"))
                .isZero();
    }

    @Test
    void readsTextsWithoutLosingBytes() throws IOException {
        Path notes = Files.createDirectory(directory.resolve("notes"));
        Files.write(notes.resolve("a.txt"), "grün ✓".getBytes(UTF_8));
        Files.write(
                notes.resolve("b.txt"), "gr\u00fcn €".getBytes(Charset.forName("windows-1252")));
        Files.write(notes.resolve("c.txt"), marked(0xff, 0xfe, "grün".getBytes(UTF_16LE)));

        assertThat(rows(ImportSource.of(notes)).stream().map(each -> each.get("text")))
                .containsExactly("grün ✓", "grün €", "grün");
        assertThat(rows(ImportSource.of(notes).in("koi8-r")).getLast())
                .containsEntry("text", "grün");
        assertThatThrownBy(() -> rows(ImportSource.of(notes).in("utf-8")))
                .hasMessage(
                        notes.resolve("b.txt") + " has bytes that are not in the given --encoding");
    }
}
