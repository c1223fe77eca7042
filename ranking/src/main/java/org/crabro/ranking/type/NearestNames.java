package org.crabro.ranking.type;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Suggests known names that resemble an unknown one. */
final class NearestNames {
    private static final int MOST = 3;

    private NearestNames() {}

    /**
     * Returns a question that is appended to an error message; empty if no name of {@code
     * candidates} is similar.
     */
    static String hint(String name, Collection<String> candidates) {
        // Two swapped letters count as two edits.
        int furthest = name.length() < 4 ? 1 : Math.max(2, name.length() / 3);
        List<String> near =
                candidates.stream()
                        .filter(other -> edits(name, other) <= furthest)
                        .sorted(
                                Comparator.comparingInt((String other) -> edits(name, other))
                                        .thenComparing(Comparator.naturalOrder()))
                        .limit(MOST)
                        .toList();
        return near.isEmpty()
                ? ""
                : near.stream().collect(joining("' or '", "; did you mean '", "'?"));
    }

    /**
     * How many characters to put in, leave out or change, case aside, to get from one to another.
     */
    private static int edits(String from, String to) {
        String a = from.toLowerCase(Locale.ROOT);
        String b = to.toLowerCase(Locale.ROOT);
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[b.length()];
    }
}
