package org.crabro.client.imports;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/** Guesses a schema from records. */
public final class SchemaGuess {
    /** Names of members that identify records, the best first. */
    private static final List<String> ID_NAMES =
            List.of("id", "_id", "docid", "uuid", "guid", "key", "message_id", "path");

    private static final int LONGEST_ID = 200;

    /** Ids of that many records are compared; if there are more, numbers are the ids. */
    private static final int MOST_IDS = 20_000_000;

    private final Map<String, ValueKinds> members = new LinkedHashMap<>();

    /** The hashes of the ids in members that may identify records. */
    private final Map<String, Set<Long>> ids = new HashMap<>();

    private final CommonWords words = new CommonWords();
    private long count;

    private SchemaGuess() {}

    /**
     * Reads all records and returns a schema that has a place for each of their values.
     *
     * @param typeName the name of the document type
     * @param progress called with the number of records
     */
    public static GuessedSchema of(String typeName, RecordReader records, LongConsumer progress)
            throws IOException {
        var guess = new SchemaGuess();
        for (Optional<Map<String, Object>> next = records.next();
                next.isPresent();
                next = records.next()) {
            guess.add(next.get());
            progress.accept(guess.count);
        }
        return guess.schema(typeName);
    }

    private void add(Map<String, Object> record) throws IOException {
        count++;
        if (members.size() > ImportLimits.FIELDS_MAX) {
            throw new IOException(
                    "record %,d: %s"
                            .formatted(
                                    count - 1,
                                    ImportLimits.tooMany(
                                            "different members in all records",
                                            ImportLimits.FIELDS_MAX)));
        }
        record.forEach((name, value) -> {
            members.computeIfAbsent(name, _ -> new ValueKinds()).add(value);
            if (isIdName(name)) {
                addId(name, value);
            } else if (value instanceof String text) {
                words.add(name, text);
            }
        });
    }

    private static boolean isIdName(String name) {
        return ID_NAMES.contains(name.toLowerCase(Locale.ROOT).replace('-', '_'));
    }

    private void addId(String name, Object value) {
        Set<Long> seen = ids.computeIfAbsent(name, _ -> new HashSet<>());
        boolean isScalar = value instanceof String || value instanceof Long;
        String text = value.toString();
        if (isScalar && !text.isBlank() && text.length() <= LONGEST_ID && seen.size() < MOST_IDS) {
            seen.add(hash(text));
        }
    }

    private static long hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }

    private GuessedSchema schema(String typeName) {
        Optional<String> id =
                ids.keySet().stream()
                        .filter(name -> ids.getOrDefault(name, Set.of()).size() == count)
                        .min((a, b) -> Integer.compare(rank(a), rank(b)));
        List<GuessedField> fields = ValueKinds.fields(members);
        return new GuessedSchema(typeName, fields, id, count, words.best(fields));
    }

    private static int rank(String name) {
        return ID_NAMES.indexOf(name.toLowerCase(Locale.ROOT).replace('-', '_'));
    }
}
