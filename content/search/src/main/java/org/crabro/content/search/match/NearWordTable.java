package org.crabro.content.search.match;

import static java.util.stream.Collectors.toSet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.crabro.protocol.search.NearWord;
import org.crabro.protocol.search.WordCount;
import org.jspecify.annotations.Nullable;

/**
 * Counts words that are near one word. If there are too many of them, the nearest remain, and of
 * equally near ones the first by text. Which ones these are does not depend on the order in which
 * words are added: a word that belongs to them is never removed, so its count is complete. For one
 * thread.
 */
final class NearWordTable {
    /** Words are removed at twice as many as remain, so that few of them are compared. */
    private static final int CAPACITY = 2 * WordCount.NEAR_MAX;

    private final Map<String, Entry> entries = new HashMap<>();

    /** Words after this one are not counted; null as long as all are. */
    private @Nullable NearWord last;

    /**
     * A field of a row.
     *
     * @param row of a slice
     */
    record RowOfField(int field, long row) {}

    private static final class Entry {
        private int edits;
        private long documents;
        private @Nullable RowOfField counted;

        Entry(int edits) {
            this.edits = edits;
        }
    }

    /** Adds rows that have a word. */
    void add(String text, int edits, long documents) {
        Entry entry = entry(text, edits);
        if (entry != null) {
            entry.documents += documents;
        }
    }

    /** Adds a row that has a word, unless it is the row that was added last. */
    void addOnce(String text, int edits, RowOfField place) {
        Entry entry = entry(text, edits);
        if (entry != null && !place.equals(entry.counted)) {
            entry.counted = place;
            entry.documents++;
        }
    }

    private @Nullable Entry entry(String text, int edits) {
        Entry entry = entries.get(text);
        if (entry != null) {
            // In another field, the word of the query may have another form.
            entry.edits = Math.min(entry.edits, edits);
            return entry;
        }
        if (last != null
                && NearWord.NEAREST_FIRST.compare(new NearWord(text, edits, 0), last) > 0) {
            return null;
        }
        var added = new Entry(edits);
        entries.put(text, added);
        if (entries.size() > CAPACITY) {
            List<NearWord> nearest = words();
            last = nearest.getLast();
            entries.keySet().retainAll(nearest.stream().map(NearWord::text).collect(toSet()));
        }
        return added;
    }

    /** Returns the words that remain, in the order of {@link NearWord#NEAREST_FIRST}. */
    List<NearWord> words() {
        return entries.entrySet().stream()
                .map(each ->
                        new NearWord(
                                each.getKey(), each.getValue().edits, each.getValue().documents))
                .sorted(NearWord.NEAREST_FIRST)
                .limit(WordCount.NEAR_MAX)
                .toList();
    }
}
