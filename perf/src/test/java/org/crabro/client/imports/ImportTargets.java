package org.crabro.client.imports;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.document.Document;
import org.crabro.document.json.LeftOutCells;
import org.crabro.document.json.OperationReader;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedApplication;
import org.crabro.perf.fuzz.FuzzedDirectory;

/** Files that users import. */
public final class ImportTargets {
    /** Larger files take long and show nothing more. */
    private static final int RECORDS_MAX = 1_000;

    private ImportTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                target("csv-files", "a.csv"),
                target("json-files", "a.json"),
                target("parquet-files", "a.parquet"));
    }

    private static FuzzTarget target(String name, String file) {
        return FuzzTarget.ofBytes(name, bytes -> stored(file, bytes), IOException.class).slow();
    }

    /**
     * What the reader accepts has a schema that can be deployed, each record is a document of it, and
     * each value of the record is in the document.
     */
    private static void stored(String name, byte[] bytes) throws IOException {
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
                byte[] line = schema.put(next.get(), "me", stored).getBytes(UTF_8);
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
    private static void check(
            GuessedSchema schema, Map<String, Object> record, Document document) {
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
