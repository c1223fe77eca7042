package org.crabro.client.imports;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.crabro.document.Document;
import org.crabro.document.json.LeftOutCells;
import org.crabro.document.json.OperationReader;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedApplication;
import org.crabro.perf.fuzz.FuzzedDirectory;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Files that users import. */
public final class ImportTargets {
    /** Larger files take long and show nothing more. */
    private static final int RECORDS_MAX = 1_000;

    private static final Pattern LINE = Pattern.compile("\\r\\n|\\r|\\n");
    private static final JsonMapper JSON = new JsonMapper();

    private ImportTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                target("csv-files", "a.csv", ImportTargets::rows),
                target("json-files", "a.json", ImportTargets::objects),
                target("parquet-files", "a.parquet", _ -> OptionalLong.empty()),
                target("note-files", "a.md", _ -> OptionalLong.of(1)),
                target("page-files", "a.html", _ -> OptionalLong.of(1)),
                target("card-files", "a.vcf", _ -> OptionalLong.empty()),
                target("calendar-files", "a.ics", _ -> OptionalLong.empty()),
                target("chat-files", "a.txt", _ -> OptionalLong.empty()),
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
        String text = new String(bytes, ISO_8859_1);
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

    private static FuzzTarget target(
            String name, String file, Function<byte[], OptionalLong> records) {
        return FuzzTarget.ofBytes(
                        name,
                        bytes -> {
                            long read = stored(file, bytes);
                            OptionalLong given = records.apply(bytes);
                            if (given.isPresent() && read != given.getAsLong()) {
                                throw new AssertionError(
                                        "%d of %d records".formatted(read, given.getAsLong()));
                            }
                        },
                        IOException.class,
                        TableText.EncodingException.class)
                .slow();
    }

    /** Returns the number of rows of a table without quotes, which is that of its lines. */
    private static OptionalLong rows(byte[] bytes) {
        if (isUtf16(bytes)) {
            return OptionalLong.empty();
        }
        String marked = new String(bytes, UTF_8);
        String text = marked.startsWith("\ufeff") ? marked.substring(1) : marked;
        long lines = LINE.splitAsStream(text).filter(line -> !line.isEmpty()).count();
        return text.indexOf('"') >= 0
                ? OptionalLong.empty()
                : OptionalLong.of(Math.min(RECORDS_MAX, lines - 1));
    }

    private static boolean isUtf16(byte[] bytes) {
        int mark = bytes.length < 2 ? 0 : (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
        return mark == 0xfeff || mark == 0xfffe;
    }

    /** Returns the number of objects that are not inside of other objects. */
    private static OptionalLong objects(byte[] bytes) {
        if (new String(bytes, UTF_8).contains("messages")) {
            // Those of a chat are records.
            return OptionalLong.empty();
        }
        long count = 0;
        try (JsonParser parser = JSON.createParser(bytes)) {
            while (parser.nextToken() != null) {
                JsonNode value = parser.readValueAsTree();
                count += objects(value);
            }
        }
        return OptionalLong.of(Math.min(RECORDS_MAX, count));
    }

    private static long objects(JsonNode node) {
        long count = node.isObject() ? 1 : 0;
        if (node.isArray()) {
            for (JsonNode each : node) {
                count += objects(each);
            }
        }
        return count;
    }

    /**
     * What the reader accepts has a schema that can be deployed, each record is a document of it,
     * and each value of the record is in the document. Returns the number of records.
     */
    private static long stored(String name, byte[] bytes) throws IOException {
        try (var directory = FuzzedDirectory.create()) {
            ImportSource source = ImportSource.of(directory.write(name, bytes));
            GuessedSchema schema;
            try (RecordReader records = source.open()) {
                schema = SchemaGuess.of("made", new FirstRecords(records), _ -> {});
            }
            long stored = 0;
            if (!schema.fields().isEmpty()) {
                stored = stored(source, schema);
            }
            if (stored != schema.count() && !schema.fields().isEmpty()) {
                throw new AssertionError(
                        "%d records, and %d documents".formatted(schema.count(), stored));
            }
            return schema.count();
        }
    }

    private static long stored(ImportSource source, GuessedSchema schema) throws IOException {
        var operations = new OperationReader(List.of(FuzzedApplication.made(schema.text())), false);
        long stored = 0;
        try (RecordReader records = new FirstRecords(source.open())) {
            for (Optional<Map<String, Object>> next = records.next();
                    next.isPresent();
                    next = records.next()) {
                stored++;
                Map<String, Object> put = new LinkedHashMap<>();
                put.put("put", schema.id("me", Long.toString(stored)));
                put.put("fields", schema.values(next.get(), (_, _) -> {}));
                byte[] line = JSON.writeValueAsString(put).getBytes(UTF_8);
                DocumentOperation operation =
                        operations
                                .read(line, 0, line.length, LeftOutCells.UNCOUNTED)
                                .operation()
                                .operation();
                if (!(operation instanceof DocumentOperation.Put(Document document))) {
                    throw new AssertionError("no put: " + operation);
                }
                check(schema, next.get(), document);
            }
        }
        return stored;
    }

    /** Checks that a document has a field for each member that is not empty. */
    private static void check(GuessedSchema schema, Map<String, Object> record, Document document) {
        Set<String> sources = new HashSet<>();
        for (GuessedField field : schema.fields()) {
            if (document.fields().containsKey(field.name())) {
                sources.add(field.source());
            }
        }
        boolean hasOthers = sources.contains(GuessedFields.OTHERS_SOURCE);
        record.forEach((path, value) -> {
            boolean isEmpty =
                    (value instanceof String text && text.isEmpty())
                            || (value instanceof List<?> list && list.isEmpty());
            if (!isEmpty && !sources.contains(path) && !hasOthers) {
                throw new AssertionError("lost %s: %s".formatted(path, value));
            }
        });
    }

    /** The first records of a file. */
    private static final class FirstRecords implements RecordReader {
        private final RecordReader records;
        private int count;

        FirstRecords(RecordReader records) {
            this.records = records;
        }

        @Override
        public Optional<Map<String, Object>> next() throws IOException {
            return count++ < RECORDS_MAX ? records.next() : Optional.empty();
        }

        @Override
        public String place() {
            return records.place();
        }

        @Override
        public void close() throws IOException {
            records.close();
        }
    }
}
