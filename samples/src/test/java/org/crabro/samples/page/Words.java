package org.crabro.samples.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Okapi BM25 over one field of a few documents, written straight from its formula. Texts without
 * words do not count in the average length.
 */
final class Words {
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}\\p{M}]+");
    private static final double K1 = 1.2;
    private static final double B = 0.75;

    private final Map<Commit, List<String>> words = new HashMap<>();
    private final double averageLength;

    Words(List<Commit> commits, Function<Commit, String> field) {
        for (Commit commit : commits) {
            words.put(commit, split(field.apply(commit)));
        }
        averageLength =
                words.values().stream()
                        .mapToInt(List::size)
                        .filter(length -> length > 0)
                        .average()
                        .orElse(1);
    }

    /** Returns the words of {@code text} in lower case. */
    static List<String> split(String text) {
        var words = new ArrayList<String>();
        Matcher matcher = WORD.matcher(text.toLowerCase(Locale.ROOT));
        while (matcher.find()) {
            words.add(matcher.group());
        }
        return words;
    }

    boolean has(Commit commit, String word) {
        return of(commit).contains(word);
    }

    private List<String> of(Commit commit) {
        return words.getOrDefault(commit, List.of());
    }

    double score(Commit commit, List<String> query) {
        double score = 0;
        for (String word : query) {
            int occurrences = Collections.frequency(of(commit), word);
            if (occurrences > 0) {
                double length = of(commit).size();
                score +=
                        rarity(word)
                                * (occurrences * (K1 + 1))
                                / (occurrences + K1 * (1 - B + B * length / averageLength));
            }
        }
        return score;
    }

    private double rarity(String word) {
        long with = words.values().stream().filter(of -> of.contains(word)).count();
        return Math.log(1 + (words.size() - with + 0.5) / (with + 0.5));
    }
}
