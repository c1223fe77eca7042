package org.crabro.text;

import java.util.function.IntConsumer;

/** Patterns in which {@code *} matches any number of characters and {@code ?} matches one. */
public final class Glob {
    private Glob() {}

    /**
     * Returns whether all of {@code text} matches.
     *
     * @param work receives a unit for each compared character
     */
    public static boolean matches(String pattern, String text, IntConsumer work) {
        int p = 0;
        int t = 0;
        int star = -1;
        int retry = 0;
        while (t < text.length()) {
            work.accept(1);
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                retry = t;
            } else if (p < pattern.length()
                    && (pattern.charAt(p) == '?'
                            || pattern.codePointAt(p) == text.codePointAt(t))) {
                p += pattern.charAt(p) == '?' ? 1 : Character.charCount(pattern.codePointAt(p));
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

    /** Returns whether {@code pattern} matches only itself. */
    public static boolean isPlain(String pattern) {
        return pattern.indexOf('*') < 0 && pattern.indexOf('?') < 0;
    }
}
