package org.crabro.text;

import java.util.function.IntConsumer;

/**
 * A pattern in which {@code *} matches any text. Other characters match themselves.
 *
 * <p>A match compares each character of the text with at most each character of the longest part
 * between two stars. The number of stars does not matter.
 *
 * @param hasMarks whether {@code ?} matches any one character, and not only itself
 */
public record Glob(String pattern, boolean hasMarks) {
    /** Returns a pattern in which {@code *} matches any text, and {@code ?} one character. */
    public static Glob of(String pattern) {
        return new Glob(pattern, true);
    }

    /** Returns a pattern in which only {@code *} is special. */
    public static Glob ofStars(String pattern) {
        return new Glob(pattern, false);
    }

    /** Returns whether all of {@code text} matches. */
    public boolean matches(String text) {
        return matches(text, _ -> {});
    }

    /**
     * Returns whether all of {@code text} matches.
     *
     * @param work receives a unit for each compared character; may throw to end the match
     */
    public boolean matches(String text, IntConsumer work) {
        int p = 0;
        int t = 0;
        int star = -1;
        int retry = 0;
        while (t < text.length()) {
            work.accept(1);
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                retry = t;
                if (p == pattern.length()) {
                    return true;
                }
            } else if (p < pattern.length() && matchesOne(p, text.codePointAt(t))) {
                p += Character.charCount(pattern.codePointAt(p));
                t += Character.charCount(text.codePointAt(t));
            } else if (star >= 0) {
                // The last star takes one more character. Earlier stars never have to be retried.
                p = star + 1;
                retry += Character.charCount(text.codePointAt(retry));
                t = retry;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    private boolean matchesOne(int at, int character) {
        int expected = pattern.codePointAt(at);
        return expected == character || (hasMarks && expected == '?');
    }

    /** Returns whether the pattern matches only itself. */
    public boolean isPlain() {
        return pattern.indexOf('*') < 0 && !(hasMarks && pattern.indexOf('?') >= 0);
    }
}
