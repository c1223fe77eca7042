package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories that Slack has exported. */
class SlackRecordsTest {
    @TempDir private Path directory;

    private void write(String name, String json) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, json);
    }

    private void export() throws IOException {
        write(
                "users.json",
                """
                [{"id": "U1", "name": "ann", "real_name": "Ann Sea", "profile": {"display_name": "annie"}},
                 {"id": "U2", "name": "ben", "profile": {"real_name": "Ben Hill"}}]
                """);
        write("channels.json", "[{\"id\": \"C1\", \"name\": \"general\", \"members\": [\"U1\"]}]");
        write("dms.json", "[{\"id\": \"D1\", \"members\": [\"U1\", \"U2\"]}]");
        write(
                "general/2024-05-01.json",
                """
                [{"type": "message", "user": "U1", "ts": "1714557600.000100", "text": "Hi <@U2>, see <https://x.example/a|this> &amp; more",
                  "blocks": [{"type": "rich_text", "elements": []}]},
                 {"type": "message", "user": "U2", "ts": "1714557660.000200", "thread_ts": "1714557600.000100", "text": "Yes"},
                 {"type": "message", "subtype": "bot_message", "username": "deploy", "ts": "1714557661.5", "text": "done"}]
                """);
        write(
                "D1/2024-05-02.json",
                "[{\"type\": \"message\", \"user\": \"U9\", \"ts\": \"1714644000.1\", \"text\": \"late\"}]");
    }

    private List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (RecordReader records = ImportSource.of(directory).open()) {
            while (records.next().isPresent()) {
                names.add(records.name().orElseThrow());
            }
        }
        return names;
    }

    @Test
    void readsMessagesWithNamesOfPeopleAndChannels() throws IOException {
        export();

        ImportedFile file = ImportedFile.of(directory);

        assertThat(file.puts()).hasSize(4);
        assertThat(file.value(0, "sender")).isEqualTo("\"U9\"");
        assertThat(file.value(0, "chat")).isEqualTo("\"D1\"");
        assertThat(file.value(1, "sender")).isEqualTo("\"Ann Sea\"");
        assertThat(file.value(1, "chat")).isEqualTo("\"general\"");
        assertThat(file.value(1, "date")).isEqualTo("1714557600");
        assertThat(file.value(1, "text"))
                .isEqualTo("\"Hi @Ben Hill, see this (https://x.example/a) & more\"");
        assertThat(file.value(1, "thread")).isEmpty();
        assertThat(file.value(1, "blocks")).isEmpty();
        assertThat(file.value(2, "sender")).isEqualTo("\"Ben Hill\"");
        assertThat(file.value(2, "thread")).isEqualTo("\"1714557600.000100\"");
        assertThat(file.value(3, "sender")).isEqualTo("\"deploy\"");
        assertThat(file.losses()).isEmpty();
        assertThat(file.schema().text()).containsPattern("field date type long \\{[^}]*kind: time");
        assertThat(names())
                .containsExactly(
                        "D1/1714644000.1",
                        "general/1714557600.000100",
                        "general/1714557660.000200",
                        "general/1714557661.5");
    }

    @Test
    void saysWhatOfAnExportIsLeftOut() throws IOException {
        export();
        write("canvases.json", "[]");
        write("general/files/plan.txt", "plan");

        assertThat(ImportSource.of(directory).skipped())
                .first()
                .isEqualTo("Left out: 1 .json, 1 .txt");
    }

    @Test
    void readsDirectoriesWithoutTheListsAsNotes() throws IOException {
        export();
        write("a.md", "a note");
        Files.delete(directory.resolve("users.json"));

        assertThat(names()).containsExactly("a.md");
    }

    @Test
    void readsNoFileThatAChannelNames() throws IOException {
        export();
        Path secret = Files.createTempFile(directory.getParent(), "2024-05-03", ".json");
        Files.writeString(secret, "[{\"ts\": \"1.1\", \"text\": \"secret\"}]");
        write(
                "channels.json",
                "[{\"id\": \"D1\", \"name\": \"../../etc/passwd\"}, {\"id\": \"..\", \"name\": \"..\"},"
                        + " {\"id\": 5, \"name\": {}}, {\"name\": \"/\"}]");
        Files.createSymbolicLink(directory.resolve("general/2024-05-09.json"), secret);
        Files.createSymbolicLink(directory.resolve("above"), directory.getParent());

        ImportedFile file = ImportedFile.of(directory);

        assertThat(file.puts()).hasSize(4);
        assertThat(file.puts().toString()).doesNotContain("secret");
        // A name is a text, whatever it says.
        assertThat(file.value(0, "chat")).isEqualTo("\"../../etc/passwd\"");
        Files.delete(secret);
    }

    @Test
    void keepsMessagesThatLieAboutTheirTimesAndTypes() throws IOException {
        export();
        write(
                "general/2024-05-01.json",
                """
                [{"ts": "1.1", "text": "one"}, {"ts": "1.1", "text": "the same time"},
                 {"ts": 5, "text": ["a", {"b": 1}], "user": {"id": "U1"}, "user_profile": 7},
                 {"ts": "99999999999999999999.1", "text": "far", "thread_ts": {}, "blocks": "x"},
                 {"ts": "../../../x", "text": null}, {}]
                """);

        ImportedFile file = ImportedFile.of(directory);

        assertThat(file.puts()).hasSize(7);
        assertThat(names())
                .doesNotHaveDuplicates()
                .contains("general/1.1", "general/2024-05-01.json#2", "general/2024-05-01.json#3");
        assertThat(file.value(4, "text")).contains("far");
    }

    @Test
    void endsAtJsonThatIsTooDeepOrDamaged() throws IOException {
        export();
        write("general/2024-05-03.json", "[{\"ts\": " + "[".repeat(100_000));
        assertThatThrownBy(() -> ImportedFile.of(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("2024-05-03.json, line 1")
                .hasMessageContaining("inside each other");
        write("general/2024-05-03.json", "[{\"ts\": \"1.2\"");
        assertThatThrownBy(() -> ImportedFile.of(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("2024-05-03.json");
        write("general/2024-05-03.json", "[]");
        write("users.json", "[7]");
        assertThatThrownBy(() -> ImportedFile.of(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("users.json, line 1: expected a JSON object");
    }

    @Test
    void readsManyMessages() throws IOException {
        export();
        var day = new StringBuilder("[");
        for (int i = 0; i < 50_000; i++) {
            day.append(i == 0 ? "" : ",")
                    .append("{\"ts\": \"")
                    .append(i)
                    .append(".1\", \"user\": \"U1\", \"text\": \"")
                    .append("word ".repeat(20))
                    .append("\"}");
        }
        write("general/2024-05-01.json", day.append(']').toString());
        long count = 0;
        try (RecordReader records = ImportSource.of(directory).open()) {
            for (Optional<?> next = records.next(); next.isPresent(); next = records.next()) {
                count++;
            }
        }

        assertThat(count).isEqualTo(50_001);
    }
}
