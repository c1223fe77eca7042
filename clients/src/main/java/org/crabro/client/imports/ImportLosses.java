package org.crabro.client.imports;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What an import cannot keep: for each column, how often, and where first. Not thread-safe. */
public final class ImportLosses {
    /** Losses of more columns are counted together. */
    private static final int COLUMNS_MAX = 200;

    private final Map<Key, Count> counts = new LinkedHashMap<>();

    /** A column, and what happens to its values. */
    private record Key(String column, String change) {}

    private static final class Count {
        private final String first;
        private long count;

        Count(String first) {
            this.first = first;
        }
    }

    /**
     * Counts a value that is stored otherwise than it is given.
     *
     * @param column or the path of a member
     * @param change what happens to it, such as "cut after 10 characters"
     * @param place where the value is, such as "line 5"
     */
    public void add(String column, String change, String place) {
        var key = new Key(column, change);
        if (!counts.containsKey(key) && counts.size() >= COLUMNS_MAX) {
            key = new Key("other columns", change);
        }
        counts.computeIfAbsent(key, _ -> new Count(place)).count++;
    }

    /** Returns whether all values are stored as they are given. */
    public boolean isEmpty() {
        return counts.isEmpty();
    }

    /** Returns a line for each column and change. */
    public List<String> lines() {
        return counts.entrySet().stream()
                .map(each ->
                        String.format(
                                Locale.ROOT,
                                "%s: %s: %s, first in %s",
                                each.getKey().column,
                                each.getKey().change,
                                each.getValue().count == 1
                                        ? "1 value"
                                        : "%,d values".formatted(each.getValue().count),
                                each.getValue().first))
                .toList();
    }
}
