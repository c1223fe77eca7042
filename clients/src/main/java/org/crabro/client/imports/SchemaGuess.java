package org.crabro.client.imports;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.crabro.client.file.TextHash;

/** Guesses a schema from records. */
public final class SchemaGuess {
    /** Names of members that identify records, the best first. */
    private static final List<String> ID_NAMES =
            List.of("id", "_id", "docid", "uuid", "guid", "key", "message_id", "path", "uid");

    private static final int LONGEST_ID = 200;

    /** A note names so many members. */
    private static final int NAMED_MAX = 500;

    /** Ids of that many records are compared; if there are more, numbers are the ids. */
    private static final int MOST_IDS = 20_000_000;

    private final Map<String, ValueKinds> members = new LinkedHashMap<>();

    /** The hashes of the ids in members that may identify records. */
    private final Map<String, Set<Long>> ids = new HashMap<>();

    private final CommonWords words = new CommonWords();
    private long count;

    /** How many members are not inside of objects, and how many others are. */
    private int outer;

    private int nested;
    private boolean hasUncounted;

    /** The column that the user has chosen; empty if there is none. */
    private final String chosenId;

    /** The hashes of the names that the source gives, or of the values of the chosen column. */
    private final Set<Long> names = new HashSet<>();

    private SchemaGuess(String chosenId) {
        this.chosenId = chosenId;
    }

    /**
     * Reads all records and returns a schema that has a place for each of their values.
     *
     * @param typeName the name of the document type
     * @param progress called with the number of records
     */
    public static GuessedSchema of(String typeName, RecordReader records, LongConsumer progress)
            throws IOException {
        return of(typeName, records, "", progress);
    }

    /**
     * Does the same with a given column or member whose values name the documents.
     *
     * @param id its name; empty to choose one
     * @throws IOException also if values of it are missing or equal; the message says where
     */
    public static GuessedSchema of(
            String typeName, RecordReader records, String id, LongConsumer progress)
            throws IOException {
        var guess = new SchemaGuess(id);
        for (Optional<Map<String, Object>> next = records.next();
                next.isPresent();
                next = records.next()) {
            guess.add(next.get());
            guess.addName(next.get(), records);
            progress.accept(guess.count);
        }
        return guess.schema(typeName);
    }

    private void addName(Map<String, Object> record, RecordReader records) throws IOException {
        if (chosenId.isEmpty()) {
            records.name().ifPresent(name -> names.add(TextHash.of(name)));
            return;
        }
        Object value = record.get(chosen(record));
        String name = value == null ? "" : RecordPuts.name(value);
        if (name.isBlank() || value instanceof List<?>) {
            throw new IOException(
                    "--id is '%s', but %s has no value there; its members are: %s"
                            .formatted(chosenId, records.place(), shown(record.keySet())));
        }
        if (name.length() > LONGEST_ID) {
            throw new IOException(
                    "--id is '%s', but the value in %s has more than %d characters"
                            .formatted(chosenId, records.place(), LONGEST_ID));
        }
        if (names.size() >= MOST_IDS) {
            throw new IOException(ImportLimits.tooMany("records with --id", MOST_IDS));
        }
        if (!names.add(TextHash.of(name))) {
            throw new IOException(
                    "--id is '%s', but %s has the value of an earlier record there, '%s'; choose a column whose values differ"
                            .formatted(chosenId, records.place(), name));
        }
    }

    /** Returns the path of the chosen column. A name with a dot can also be a path. */
    private String chosen(Map<String, Object> record) {
        return record.containsKey(chosenId) ? chosenId : MemberPath.of(chosenId);
    }

    private static String shown(Set<String> paths) {
        return paths.stream().limit(20).map(MemberPath::shown).collect(Collectors.joining(", "))
                + (paths.size() > 20 ? ", and more" : "");
    }

    private DocumentNames documentNames() {
        if (!chosenId.isEmpty()) {
            return DocumentNames.ofMember(
                    members.containsKey(chosenId) ? chosenId : MemberPath.of(chosenId), names);
        }
        if (!names.isEmpty() && names.size() == count) {
            return DocumentNames.ofSource(names);
        }
        return ids.keySet().stream()
                .filter(name -> ids.getOrDefault(name, Set.of()).size() == count)
                .min((a, b) -> Integer.compare(rank(a), rank(b)))
                .map(name -> DocumentNames.ofMember(name, ids.getOrDefault(name, Set.of())))
                .orElseGet(() -> DocumentNames.numbers(count));
    }

    private void add(Map<String, Object> record) throws IOException {
        count++;
        if (outer > ImportLimits.FIELDS_MAX) {
            throw new IOException(
                    "record %,d: %s"
                            .formatted(
                                    count - 1,
                                    ImportLimits.tooMany(
                                            "different members in all records",
                                            ImportLimits.FIELDS_MAX)));
        }
        record.forEach((name, value) -> {
            if (!isCounted(name)) {
                hasUncounted = true;
                return;
            }
            members.computeIfAbsent(name, _ -> new ValueKinds()).add(value);
            if (isIdName(name)) {
                addId(name, value);
            } else if (value instanceof String text) {
                words.add(name, text);
            }
        });
    }

    /** Returns whether the type of a member is guessed: only that of the first nested ones is. */
    private boolean isCounted(String name) {
        if (members.containsKey(name)) {
            return true;
        }
        if (!MemberPath.isNested(name)) {
            outer++;
            return true;
        }
        if (nested == ImportLimits.NESTED_MEMBERS_MAX) {
            return false;
        }
        nested++;
        return true;
    }

    private static boolean isIdName(String name) {
        return ID_NAMES.contains(name.toLowerCase(Locale.ROOT).replace('-', '_'));
    }

    private void addId(String name, Object value) {
        Set<Long> seen = ids.computeIfAbsent(name, _ -> new HashSet<>());
        boolean isScalar =
                value instanceof String
                        || value instanceof Long
                        || (value instanceof GivenValue given && given.value() instanceof Long);
        String text = RecordPuts.name(value);
        if (isScalar && !text.isBlank() && text.length() <= LONGEST_ID && seen.size() < MOST_IDS) {
            seen.add(TextHash.of(text));
        }
    }

    private GuessedSchema schema(String typeName) {
        Set<String> chosen = chosen();
        var fields = new GuessedFields();
        List<String> others = new ArrayList<>();
        members.forEach((path, values) -> {
            if (chosen.contains(path)) {
                fields.add(path, values);
            } else if (values.type().isPresent()) {
                others.add(MemberPath.shown(path));
            }
        });
        boolean hasNulls = members.values().stream().anyMatch(ValueKinds::hasNulls);
        if (hasUncounted || hasNulls || !others.isEmpty()) {
            fields.addOthers();
        }
        List<GuessedField> all = fields.all();
        List<String> notes = new ArrayList<>(fields.notes());
        if (hasUncounted || !others.isEmpty()) {
            notes.add(
                    "%s: the members beyond %,d fields, as JSON: %s%s"
                            .formatted(
                                    all.getLast().name(),
                                    ImportLimits.NESTED_FIELDS_MAX,
                                    others.stream()
                                            .limit(NAMED_MAX)
                                            .collect(Collectors.joining(", ")),
                                    hasUncounted || others.size() > NAMED_MAX ? ", and more" : ""));
        }
        return new GuessedSchema(
                typeName,
                all,
                documentNames(),
                count,
                new GuessedSchema.Hints(words.best(all), notes));
    }

    /** Returns the members with fields: all outside of objects, and the most frequent others. */
    private Set<String> chosen() {
        Set<String> chosen = new HashSet<>();
        List<String> inside = new ArrayList<>();
        members.forEach((path, values) -> {
            if (!MemberPath.isNested(path)) {
                chosen.add(path);
            } else if (values.type().isPresent()) {
                inside.add(path);
            }
        });
        inside.sort(Comparator.comparingLong(this::occurrences).reversed());
        int left = Math.max(0, ImportLimits.NESTED_FIELDS_MAX - outer);
        chosen.addAll(inside.subList(0, Math.min(left, inside.size())));
        return chosen;
    }

    private long occurrences(String path) {
        ValueKinds values = members.get(path);
        return values == null ? 0 : values.count();
    }

    private static int rank(String name) {
        return ID_NAMES.indexOf(name.toLowerCase(Locale.ROOT).replace('-', '_'));
    }
}
