package org.crabro.config.application;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the valid name that is most similar to a misspelt one. */
public final class NearestName {
    private NearestName() {}

    /**
     * Returns {@code "; did you mean 'x'?"} with the name of {@code candidates} nearest to {@code
     * given}. Returns "" if none is near: at most a third of the characters may differ.
     */
    public static String hint(String given, Collection<String> candidates) {
        return of(given, candidates).map(name -> "; did you mean '" + name + "'?").orElse("");
    }

    /** Returns the name nearest to {@code given}; empty if none is near. */
    public static Optional<String> of(String given, Collection<String> candidates) {
        if (given.length() < 2) {
            return Optional.empty();
        }
        String best = "";
        int bestDistance = Math.max(1, given.length() / 3) + 1;
        String folded = given.toLowerCase(Locale.ROOT);
        long letters = letters(folded);
        for (String name : candidates) {
            if (Math.abs(name.length() - given.length()) >= bestDistance || name.equals(given)) {
                continue;
            }
            String other = name.toLowerCase(Locale.ROOT);
            long otherLetters = letters(other);
            // Each edit removes at most one letter, and adds at most one.
            if (Long.bitCount(letters & ~otherLetters) >= bestDistance
                    || Long.bitCount(otherLetters & ~letters) >= bestDistance) {
                continue;
            }
            int distance = distance(folded, other, bestDistance);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = name;
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(best);
    }

    /** Returns which characters are in {@code text}; some share a bit. */
    private static long letters(String text) {
        long letters = 0;
        for (int i = 0; i < text.length(); i++) {
            letters |= 1L << text.charAt(i);
        }
        return letters;
    }

    /**
     * Returns the edit distance: the number of characters to insert, delete, replace or swap with
     * their neighbor. Returns {@code limit} if the distance is that or more. Packages can have
     * thousands of names, so only cells near the diagonal are computed, until a whole row reaches
     * the limit.
     */
    private static int distance(String a, String b, int limit) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = Math.min(j, limit);
        }
        for (int i = 1; i <= a.length(); i++) {
            Arrays.fill(row, limit);
            row[0] = Math.min(i, limit);
            int least = row[0];
            int to = Math.min(b.length(), i + limit);
            for (int j = Math.max(1, i - limit); j <= to; j++) {
                int replace = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                int cell = Math.min(replace, 1 + Math.min(last[j], row[j - 1]));
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cell = Math.min(cell, beforeLast[j - 2] + 1);
                }
                row[j] = Math.min(cell, limit);
                least = Math.min(least, row[j]);
            }
            if (least >= limit) {
                return limit;
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = row;
            row = free;
        }
        return last[b.length()];
    }
}
