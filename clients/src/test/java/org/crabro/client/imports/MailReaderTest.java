package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a mail loses, and mails that take long. Hard mails are in hard-mails.py. */
class MailReaderTest {
    @TempDir private Path directory;

    private static Map<String, Object> record(String mail, List<String> losses) throws IOException {
        return MailReader.record(
                mail.getBytes(StandardCharsets.ISO_8859_1),
                (column, change) -> losses.add(column + ": " + change));
    }

    @Test
    void reportsWhatIsDropped() throws IOException {
        List<String> losses = new ArrayList<>();

        record("Subject: a\n\n" + "x".repeat((1 << 20) + 1), losses);
        record("Content-Type: text/plain; charset=utf-8\n\ngr\u00fcn\n", losses);
        record("Subject: =?utf-8?Q?gr=FCn?=\nDate: yesterday\n\ntext\n", losses);

        assertThat(losses)
                .containsExactly(
                        "text: cut after 1,048,576 characters",
                        "text: " + MailReader.REPLACED,
                        "date: left out because it is no date",
                        "subject: " + MailReader.REPLACED);
    }

    @Test
    void reportsNothingIfNothingIsDropped() throws IOException {
        List<String> losses = new ArrayList<>();

        record(
                "Subject: =?utf-8?Q?gr=C3=BCn?=\nDate: Tue, 3 Jun 2008 11:05:30 +0200\n\n"
                        + "x".repeat(1 << 20),
                losses);

        assertThat(losses).isEmpty();
    }

    @Test
    void cutsATextBetweenCharacters() throws IOException {
        String mail =
                "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
                        + "x".repeat((1 << 20) - 1)
                        + "=F0=9F=98=80";

        assertThat(String.valueOf(record(mail, new ArrayList<>()).get("text")))
                .hasSize((1 << 20) - 1)
                .endsWith("x");
    }

    @Test
    void readsFilesAndDirectoriesOfMails() throws IOException {
        Path mails = Files.createDirectories(directory.resolve("mails/inner"));
        Path single = Files.writeString(mails.resolve("b.EML"), "Subject: one\n\ntext\n");
        Files.writeString(
                mails.resolveSibling("a.mbox"),
                """
                From ann@example.com Tue Jun  3 11:05:30 2008
                Subject: two

                From ann@example.com Tue Jun  3 11:05:30 2008
                Subject: three
                """);
        Files.writeString(mails.resolve(".hidden.eml"), "Subject: hidden\n\ntext\n");
        Files.writeString(mails.resolve("picture.png"), "x");

        assertThat(subjects(single)).containsExactly("one");
        assertThat(subjects(directory)).containsExactly("two", "three", "one");
        Files.writeString(mails.resolve("note.txt"), "a note");
        assertThat(subjects(directory)).containsExactly((Object) null);
    }

    private static List<Object> subjects(Path path) throws IOException {
        List<Object> subjects = new ArrayList<>();
        try (RecordReader reader = ImportSource.of(path).open()) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                subjects.add(next.get().get("subject"));
            }
        }
        return subjects;
    }

    /** A header of a megabyte, or a body of some. */
    record SlowMail(String name, String mail) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<SlowMail> slowMails() {
        int size = 1_000_000;
        return List.of(
                new SlowMail("words", "Subject: " + repeat("=?a?b?", size)),
                new SlowMail("word-starts", "Subject: " + repeat("=?", size)),
                new SlowMail("word-names", "Subject: =?" + "a".repeat(size)),
                new SlowMail("whole-words", "Subject: " + repeat("=?a?b?YQ?= ", size)),
                new SlowMail("words-of-sets", "Subject: " + repeat("=?a?q?a?= =?b?q?a?= ", size)),
                new SlowMail("word-blanks", "Subject: " + repeat("=?a?q?a?=  \t ", size)),
                new SlowMail("folds", "Subject: a" + repeat("\n ", size)),
                new SlowMail("pieces", "Content-Type: a/b; " + pieces(size)),
                new SlowMail("same-pieces", "Content-Type: a/b; " + repeat("name*0=a;", size)),
                new SlowMail("semicolons", "Content-Type: " + repeat(";", size)),
                new SlowMail("quotes", "Content-Type: a/b; name=" + repeat("\"", size)),
                new SlowMail("stars", "Content-Type: a/b; " + repeat("*", size) + "=a"),
                new SlowMail("blanks", "Content-Type: a/b; name=a" + repeat(" ", size) + "(b)"),
                new SlowMail("types", "Content-Type: " + repeat("a/", size)),
                new SlowMail("addresses", "To: " + repeat("a@b (c), ", size)),
                new SlowMail("brackets", "To: a" + repeat("(", size)),
                new SlowMail("address", "To: " + repeat("a", size)),
                new SlowMail("ats", "To: (" + repeat("a@", size)),
                new SlowMail("date", "Date: " + repeat("1 ", size)),
                new SlowMail("long-boundary", boundary(900_000)),
                new SlowMail("boundary", boundary(1_000)),
                new SlowMail("metas", "Content-Type: text/html\n\n\u00ff" + repeat("<meta ", size)),
                new SlowMail(
                        "base64", "Content-Transfer-Encoding: base64\n\n" + repeat("YQ==", size)),
                new SlowMail("equals", "Content-Transfer-Encoding: base64\n\n" + repeat("=", size)),
                new SlowMail(
                        "quoted",
                        "Content-Transfer-Encoding: quoted-printable\n\n" + repeat("= ", size)),
                new SlowMail("no-headers", repeat("no header\n", size / 1_000)));
    }

    private static String repeat(String text, int size) {
        return text.repeat(size / text.length());
    }

    private static String pieces(int size) {
        var pieces = new StringBuilder();
        for (int i = 0; pieces.length() < size; i++) {
            pieces.append("name*").append(i).append("*=%61;");
        }
        return pieces.toString();
    }

    private static String boundary(int length) {
        String boundary = "b".repeat(length);
        return "Content-Type: multipart/mixed;\n boundary="
                + boundary
                + "\n\n"
                + ("--" + boundary.substring(1) + "\n").repeat(5_000_000 / length);
    }

    /** The limit is for a test that would take hours, and not a measurement. */
    @ParameterizedTest
    @MethodSource("slowMails")
    void readsAMailInLinearTime(SlowMail slow) {
        assertTimeoutPreemptively(
                Duration.ofMinutes(1), () -> record(slow.mail + "\n\ntext\n", new ArrayList<>()));
    }
}
