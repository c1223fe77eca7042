package org.crabro.content.storage.index;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.text.TextAnalysis;

/**
 * The fields of a document type that have an index, by the active schema.
 *
 * @param words fields whose words are indexed, from the tokens that blocks store
 * @param values fields whose whole texts are indexed, and how these are folded
 * @param numbers fields whose numbers are indexed
 * @param predicates fields whose predicates are indexed
 */
public record IndexedFields(
        SearchedTexts words,
        Map<String, TextAnalysis> values,
        Set<String> numbers,
        Set<String> predicates) {
    /** No field: the type is not in mode {@code index}, or it is unknown. */
    public static final IndexedFields NONE =
            new IndexedFields(SearchedTexts.NONE, Map.of(), Set.of(), Set.of());

    public IndexedFields {
        values = Map.copyOf(values);
        numbers = Set.copyOf(numbers);
        predicates = Set.copyOf(predicates);
    }

    /** Returns whether no field has an index. */
    public boolean isEmpty() {
        return words.analyses().isEmpty()
                && values.isEmpty()
                && numbers.isEmpty()
                && predicates.isEmpty();
    }

    /** Returns a text that is equal for equal fields. An index of other fields is made again. */
    String text() {
        var text = new StringBuilder();
        new TreeMap<>(words.analyses()).forEach((name, analysis) -> add(text, 'w', name, analysis));
        new TreeMap<>(values).forEach((name, analysis) -> add(text, 'v', name, analysis));
        for (String name : new TreeSet<>(numbers)) {
            text.append('n').append(name).append('\n');
        }
        for (String name : new TreeSet<>(predicates)) {
            text.append('p')
                    .append(name)
                    .append(' ')
                    .append(SectionIndex.PREDICATES_VERSION)
                    .append('\n');
        }
        return text.toString();
    }

    private static void add(StringBuilder into, char kind, String name, TextAnalysis analysis) {
        into.append(kind)
                .append(name)
                .append(' ')
                .append(TextAnalysis.fingerprint(analysis))
                .append('\n');
    }
}
