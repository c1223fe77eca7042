package org.crabro.client.imports;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedDirectory;

/** Files that users import. */
public final class ImportTargets {
    private static final int ROWS_MAX = 1_000;

    private ImportTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofBytes("parquet-files", ImportTargets::parquet, IOException.class)
                        .slow(),
                FuzzTarget.ofBytes("mailboxes", ImportTargets::mailbox, IOException.class));
    }

    /**
     * Each mail of a mailbox is a record, or the mailbox is rejected with the mail. No line is
     * lost: the mails have all lines that are no separators.
     */
    private static void mailbox(byte[] bytes) throws IOException {
        var splitter = new MboxSplitter(new ByteArrayInputStream(bytes), Integer.MAX_VALUE);
        long lines = 0;
        long mails = 0;
        for (Optional<byte[]> mail = splitter.next(); mail.isPresent(); mail = splitter.next()) {
            mails++;
            lines += lines(mail.get());
            Map<String, Object> record = MailReader.record(mail.get(), (_, _) -> {});
            if (!(record.get("text") instanceof String)) {
                throw new AssertionError("a mail without a text");
            }
            if (record.containsValue(null)) {
                throw new AssertionError("a null in " + record);
            }
        }
        long before = linesBefore(bytes);
        if (mails > 0 && lines + mails + before != lines(bytes)) {
            throw new AssertionError(
                    "%d mails with %d lines of %d".formatted(mails, lines, lines(bytes)));
        }
    }

    /** Returns the number of empty lines before the first mail. */
    private static long linesBefore(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int from = text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
        return text.substring(from, Math.max(from, text.indexOf("From ")))
                .chars()
                .filter(c -> c == '\n')
                .count();
    }

    private static long lines(byte[] text) {
        long lines = 0;
        for (int i = 0; i < text.length; i++) {
            lines += text[i] == '\n' || i == text.length - 1 ? 1 : 0;
        }
        return lines;
    }

    /** What passes the check of its bounds is read by the library, or rejected. */
    private static void parquet(byte[] bytes) throws IOException {
        try (var directory = FuzzedDirectory.create()) {
            Path file = directory.write("a.parquet", bytes);
            try (RecordReader records = ImportSource.of(file).open()) {
                for (int row = 0; row < ROWS_MAX && records.next().isPresent(); row++) {
                    // Each row is read.
                }
            }
        }
    }
}
