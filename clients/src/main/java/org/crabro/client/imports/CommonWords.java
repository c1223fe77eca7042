package org.crabro.client.imports;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Counts the words of the first records, to find one that is worth a search. Not thread-safe. */
final class CommonWords {
    private static final int MOST_TEXTS = 2_000;
    private static final int MOST_LETTERS = 2_000;
    private static final int SHORTEST = 5;
    private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}]+");

    private final Map<String, Map<String, Integer>> counts = new HashMap<>();
    private int texts;

    void add(String member, String text) {
        if (texts >= MOST_TEXTS) {
            return;
        }
        texts++;
        String part = text.substring(0, Math.min(text.length(), MOST_LETTERS));
        for (String word :
                new HashSet<>(List.of(NO_WORD.split(part.toLowerCase(Locale.ROOT), -1)))) {
            if (word.length() >= SHORTEST) {
                counts.computeIfAbsent(member, _ -> new HashMap<>()).merge(word, 1, Integer::sum);
            }
        }
    }

    /** Returns the word that most texts of a searched field have. */
    Optional<String> best(List<GuessedField> fields) {
        return fields.stream()
                .filter(field -> field.type() instanceof GuessedType.Text)
                .flatMap(field -> counts.getOrDefault(field.source(), Map.of()).entrySet().stream())
                .max(
                        Map.Entry.<String, Integer>comparingByValue()
                                .thenComparing(
                                        Map.Entry.<String, Integer>comparingByKey().reversed()))
                .map(Map.Entry::getKey);
    }
}
