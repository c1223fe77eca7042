package org.crabro.config.application;

import java.util.Collection;
import java.util.Locale;

/** Finds the name that somebody probably meant. */
public final class NearestName {
    private NearestName() {}

    /**
     * Returns {@code "; did you mean 'x'?"} with the name of {@code known} nearest to {@code
     * given}, or nothing where none is near: at most a third of its characters may be wrong.
     */
    public static String hint(String given, Collection<String> known) {
        if (given.length() < 2) {
            return "";
        }
        String best = "";
        int bestDistance = Math.max(1, given.length() / 3) + 1;
        String folded = given.toLowerCase(Locale.ROOT);
        for (String name : known) {
            int distance = distance(folded, name.toLowerCase(Locale.ROOT), bestDistance);
            if (distance < bestDistance && !name.equals(given)) {
                bestDistance = distance;
                best = name;
            }
        }
        return best.isEmpty() ? "" : "; did you mean '" + best + "'?";
    }

    /**
     * Returns how many characters have to be put in, taken out, replaced or swapped with their
     * neighbor, or {@code limit} where it is that or more.
     */
    private static int distance(String a, String b, int limit) {
        if (Math.abs(a.length() - b.length()) >= limit) {
            return limit;
        }
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replace, 1 + Math.min(last[j], row[j - 1]));
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = row;
            row = free;
        }
        return Math.min(last[b.length()], limit);
    }
}
