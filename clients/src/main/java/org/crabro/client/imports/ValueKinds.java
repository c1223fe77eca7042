package org.crabro.client.imports;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What kinds of values a field has. Not thread-safe. */
final class ValueKinds {
    /** Lists of numbers of one length, at least this one, are vectors. */
    private static final int SHORTEST_VECTOR = 16;

    /** Keywords are at most this long, so many, and each occurs this often. */
    private static final int LONGEST_KEYWORD = 40;

    private static final int MOST_KEYWORDS = 1000;
    private static final int KEYWORD_OCCURRENCES = 10;

    /** A member with more parts than that is stored as JSON. */
    private static final int MOST_PARTS = 100;

    private static final int DEEPEST = 4;

    private enum Kind {
        TRUTH,
        WHOLE,
        DECIMAL,
        TIME,
        TEXT,
        LIST,
        MAP,
        /** Too deep. */
        DEEP
    }

    private final int depth;
    private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    private final Map<String, ValueKinds> parts = new LinkedHashMap<>();
    private @Nullable ValueKinds elements;
    private long lists;

    /** The length of all lists; -1 if they have several. */
    private int listSize;

    private long texts;
    private int longestText;
    private final Set<String> distinct = new HashSet<>();

    ValueKinds() {
        this(0);
    }

    private ValueKinds(int depth) {
        this.depth = depth;
    }

    /** Adds a value. Empty texts, lists and maps are no values. */
    void add(Object value) {
        switch (value) {
            case Boolean _ -> kinds.add(Kind.TRUTH);
            case Long _ -> kinds.add(Kind.WHOLE);
            case Double _ -> kinds.add(Kind.DECIMAL);
            case Instant _ -> kinds.add(Kind.TIME);
            case String text -> addText(text);
            case List<?> list -> addList(list);
            case Map<?, ?> map -> addMap(map);
            default -> throw new IllegalArgumentException("a value of " + value.getClass());
        }
    }

    private void addText(String text) {
        if (text.isBlank()) {
            return;
        }
        kinds.add(DateText.parse(text).isPresent() ? Kind.TIME : Kind.TEXT);
        texts++;
        longestText = Math.max(longestText, text.length());
        if (distinct.size() <= MOST_KEYWORDS && text.length() <= LONGEST_KEYWORD) {
            distinct.add(text);
        }
    }

    private void addList(List<?> list) {
        if (list.isEmpty()) {
            return;
        }
        if (depth == DEEPEST) {
            kinds.add(Kind.DEEP);
            return;
        }
        kinds.add(Kind.LIST);
        listSize = lists++ == 0 || listSize == list.size() ? list.size() : -1;
        if (elements == null) {
            elements = new ValueKinds(depth + 1);
        }
        for (Object each : list) {
            elements.add(each);
        }
    }

    private void addMap(Map<?, ?> map) {
        if (map.isEmpty()) {
            return;
        }
        if (depth == DEEPEST || parts.size() > MOST_PARTS) {
            kinds.add(Kind.DEEP);
            return;
        }
        kinds.add(Kind.MAP);
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (parts.size() > MOST_PARTS) {
                kinds.add(Kind.DEEP);
                return;
            }
            parts.computeIfAbsent((String) entry.getKey(), _ -> new ValueKinds(depth + 1))
                    .add(entry.getValue());
        }
    }

    /** Returns the type; empty if there was no value. */
    Optional<GuessedType> type() {
        if (kinds.isEmpty()) {
            return Optional.empty();
        }
        if (kinds.equals(EnumSet.of(Kind.MAP)) && parts.size() <= MOST_PARTS) {
            List<GuessedField> fields = fields(parts);
            return Optional.of(
                    fields.isEmpty() || depth > 1
                            ? new GuessedType.Json()
                            : new GuessedType.Struct(fields));
        }
        if (kinds.contains(Kind.MAP) || kinds.contains(Kind.DEEP)) {
            return Optional.of(new GuessedType.Json());
        }
        return kinds.contains(Kind.LIST) ? list() : Optional.of(scalar(kinds));
    }

    /** Returns the fields of records whose members have these values. */
    static List<GuessedField> fields(Map<String, ValueKinds> members) {
        Map<String, String> names = FieldNaming.names(members.keySet());
        List<GuessedField> fields = new ArrayList<>();
        members.forEach((source, values) ->
                values.type()
                        .ifPresent(type ->
                                fields.add(
                                        new GuessedField(
                                                source,
                                                names.getOrDefault(source, source),
                                                type))));
        return fields;
    }

    private Optional<GuessedType> list() {
        if (elements == null || elements.kinds.isEmpty()) {
            return Optional.empty();
        }
        Set<Kind> inner = EnumSet.copyOf(elements.kinds);
        Set<Kind> all = EnumSet.copyOf(kinds);
        all.remove(Kind.LIST);
        boolean areNumbers = EnumSet.of(Kind.WHOLE, Kind.DECIMAL).containsAll(inner);
        if (areNumbers && all.isEmpty() && listSize >= SHORTEST_VECTOR) {
            return Optional.of(new GuessedType.Vector(listSize));
        }
        if (inner.equals(EnumSet.of(Kind.MAP)) && all.isEmpty()) {
            return elements.type()
                    .map(each ->
                            each instanceof GuessedType.Struct
                                    ? new GuessedType.Array(each)
                                    : each);
        }
        all.addAll(inner);
        if (all.contains(Kind.LIST) || all.contains(Kind.MAP) || all.contains(Kind.DEEP)) {
            return Optional.of(new GuessedType.Json());
        }
        GuessedType element = scalar(all);
        return Optional.of(
                new GuessedType.Array(
                        element instanceof GuessedType.Truth ? new GuessedType.Text() : element));
    }

    private GuessedType scalar(Set<Kind> all) {
        if (all.equals(EnumSet.of(Kind.TRUTH))) {
            return new GuessedType.Truth();
        }
        if (all.equals(EnumSet.of(Kind.WHOLE))) {
            return new GuessedType.Whole();
        }
        if (EnumSet.of(Kind.WHOLE, Kind.DECIMAL).containsAll(all)) {
            return new GuessedType.Decimal();
        }
        if (all.equals(EnumSet.of(Kind.TIME))) {
            return new GuessedType.Time();
        }
        return all.equals(EnumSet.of(Kind.TEXT)) && isKeyword()
                ? new GuessedType.Keyword()
                : new GuessedType.Text();
    }

    private boolean isKeyword() {
        return !distinct.isEmpty()
                && longestText <= LONGEST_KEYWORD
                && distinct.size() <= MOST_KEYWORDS
                && (long) distinct.size() * KEYWORD_OCCURRENCES <= texts;
    }
}
