package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Mailboxes of hard mails, each compared with what Python's modules read. {@code hard-mails.py}
 * next to the file has written them. Where Python's reading is not the right one, the file has the
 * reason.
 */
class HardMailsTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir private Path directory;

    /**
     * A mailbox.
     *
     * @param mailbox its bytes, each a character
     * @param python its mails as Python reads them
     * @param expected its mails
     * @param why the reason of a difference between both; null if there is none
     */
    record HardCase(
            String name, String mailbox, JsonNode python, JsonNode expected, @Nullable String why) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<HardCase> cases() throws IOException {
        try (InputStream in = HardMailsTest.class.getResourceAsStream("hard-mails.jsonl")) {
            List<HardCase> cases = new ArrayList<>();
            for (String line :
                    new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
                JsonNode each = JSON.readTree(line);
                JsonNode why = each.get("why");
                cases.add(
                        new HardCase(
                                each.get("name").asString(),
                                each.get("mail").asString(),
                                each.get("python"),
                                why == null ? each.get("python") : each.get("expected"),
                                why == null ? null : why.asString()));
            }
            return cases;
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void readsWhatPythonReadsOrWhatIsExplained(HardCase hard) throws IOException {
        Path file = write("a.mbox", hard);

        assertThat(JSON.readTree(JSON.writeValueAsString(mails(file))))
                .describedAs(hard.name + (hard.why == null ? "" : ": " + hard.why))
                .isEqualTo(hard.expected);
    }

    /** An explanation of a difference that is none any more would mislead. */
    @ParameterizedTest
    @MethodSource("cases")
    void explainsOnlyDifferences(HardCase hard) {
        assertThat(hard.expected.equals(hard.python)).isEqualTo(hard.why == null);
    }

    @Test
    void aFolderOfHardMailsIsReadWhole() throws IOException {
        List<HardCase> cases = cases();
        long expected = 0;
        for (int i = 0; i < cases.size(); i++) {
            write("%03d.mbox".formatted(i), cases.get(i));
            expected += cases.get(i).expected.size();
        }

        assertThat(cases).hasSizeGreaterThan(200);
        assertThat(mails(directory)).hasSize((int) expected);
        System.out.printf("%d mailboxes, %d mails%n", cases.size(), expected);
    }

    private Path write(String name, HardCase hard) throws IOException {
        return Files.write(
                directory.resolve(name), hard.mailbox.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static List<Map<String, Object>> mails(Path path) throws IOException {
        List<Map<String, Object>> mails = new ArrayList<>();
        try (RecordReader reader = ImportSource.of(path).open()) {
            for (Optional<Map<String, Object>> next = reader.next();
                    next.isPresent();
                    next = reader.next()) {
                mails.add(shown(next.get()));
            }
        }
        return mails;
    }

    /** Returns a record in the form of the file. */
    private static Map<String, Object> shown(Map<String, Object> record) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("subject", record.get("subject"));
        shown.put("sender", record.get("sender"));
        shown.put("recipients", record.getOrDefault("recipients", List.of()));
        shown.put(
                "date",
                record.get("date") instanceof Instant time ? (Object) time.getEpochSecond() : null);
        shown.put("text", String.valueOf(record.get("text")).replace("\r\n", "\n"));
        shown.put("attachments", record.getOrDefault("attachments", List.of()));
        return shown;
    }
}
