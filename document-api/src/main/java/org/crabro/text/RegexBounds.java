package org.crabro.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Decides whether a regular expression may be compiled. The compiler recurses for each group and
 * copies repeated parts. It does not terminate for some Cyrillic letters if the expression ignores
 * case.
 */
public final class RegexBounds {
    /** The maximum nesting depth of groups. */
    public static final int DEPTH_MAX = 200;

    /** The maximal number of steps of an expression after repetitions are expanded. */
    public static final int SIZE_MAX = 10_000;

    /**
     * The first and last of the letters whose upper case has another lower case. The compiler
     * follows the case mappings until it returns to the letter, which never happens for these. A
     * range that includes {@link #ALL_FOLDED_FROM} to {@link #ALL_FOLDED_TO} is compiled without
     * following them.
     */
    private static final int UNFOLDED_FIRST = 0x1c80;

    private static final int UNFOLDED_LAST = 0x1c88;
    private static final int ALL_FOLDED_FROM = 'A';
    private static final int ALL_FOLDED_TO = 0x1044f;

    private static final Pattern IGNORES_CASE = Pattern.compile("\\(\\?[A-Za-z]*i");

    /** Larger than the length of repetition counts and class names. */
    private static final int NEAR_CHARS = 24;

    private final String regex;
    private int at;

    /** The steps before the last item of the open group. */
    private long before;

    /** The steps of the last item, which a repetition after it multiplies. */
    private long last;

    private boolean hasUnfolded;

    private RegexBounds(String regex) {
        this.regex = regex;
    }

    /** Returns the limit that an expression exceeds, valid or not; empty if it exceeds none. */
    public static Optional<String> problem(String regex) {
        return problem(regex, false);
    }

    /**
     * Returns the limit that an expression exceeds, valid or not; empty if it exceeds none.
     *
     * @param ignoresCase whether the expression ignores case, even without a flag in its text
     */
    public static Optional<String> problem(String regex, boolean ignoresCase) {
        var bounds = new RegexBounds(regex);
        Optional<String> problem = bounds.problem();
        if (problem.isEmpty()
                && bounds.hasUnfolded
                && (ignoresCase || IGNORES_CASE.matcher(regex).find())) {
            return Optional.of("characters from U+1C80 to U+1C88, whose case cannot be ignored");
        }
        return problem;
    }

    private Optional<String> problem() {
        Deque<Long> outer = new ArrayDeque<>();
        while (at < regex.length()) {
            char c = regex.charAt(at++);
            switch (c) {
                case '(' -> {
                    outer.push(before + last);
                    if (outer.size() > DEPTH_MAX) {
                        return Optional.of("groups more than " + DEPTH_MAX + " deep in each other");
                    }
                    before = 0;
                    last = 0;
                }
                case ')' -> {
                    long inner = before + last + 2;
                    before = outer.isEmpty() ? 0 : outer.pop();
                    last = inner;
                }
                case '\\' -> escape();
                case '[' -> {
                    item();
                    skipClass();
                }
                case '*', '+', '?', '|' -> last++;
                case '{' -> repetition();
                default -> {
                    item();
                    note(c, c);
                }
            }
            if (before + last > SIZE_MAX) {
                return tooLong();
            }
        }
        long all = before + last;
        for (long size : outer) {
            all += size;
        }
        return all > SIZE_MAX ? tooLong() : Optional.empty();
    }

    /** Adds the characters that a character or a range of a class matches. */
    private void note(int low, int high) {
        hasUnfolded |=
                low <= UNFOLDED_LAST
                        && high >= UNFOLDED_FIRST
                        && (low > ALL_FOLDED_FROM || high < ALL_FOLDED_TO);
    }

    private static Optional<String> tooLong() {
        return Optional.of("more than " + SIZE_MAX + " steps with all its repetitions");
    }

    private void item() {
        before += last;
        last = 1;
    }

    /** Names in braces after a backslash are not repetitions. Quoted characters are literal. */
    private void escape() {
        item();
        if (at >= regex.length()) {
            return;
        }
        char escaped = regex.charAt(at++);
        note(escaped, escaped);
        if (escaped == 'Q') {
            int end = regex.indexOf("\\E", at);
            int close = end < 0 ? regex.length() : end;
            regex.substring(at, close).chars().forEach(c -> note(c, c));
            before += close - at;
            at = end < 0 ? close : end + 2;
        } else if ("pPx".indexOf(escaped) >= 0 && at < regex.length() && regex.charAt(at) == '{') {
            int close = regex.indexOf('}', at);
            if (escaped == 'x' && close > 0) {
                int c = hexadecimal(at + 1, close);
                note(c, c);
            }
            at = close < 0 ? regex.length() : close + 1;
        }
    }

    /** Parses a hexadecimal number; 0 if the text is another one. */
    private int hexadecimal(int from, int to) {
        String digits = regex.substring(from, to);
        return digits.matches("0*[0-9A-Fa-f]{1,6}") ? Integer.parseInt(digits, 16) : 0;
    }

    /** Returns the index of a text within a short distance; -1 if it is not found. */
    private int near(String end) {
        int excerpt = regex.substring(at, Math.min(regex.length(), at + NEAR_CHARS)).indexOf(end);
        return excerpt < 0 ? -1 : at + excerpt;
    }

    private void skipClass() {
        if (at < regex.length() && regex.charAt(at) == '^') {
            at++;
        }
        if (at < regex.length() && regex.charAt(at) == ']') {
            range();
        }
        while (at < regex.length() && regex.charAt(at) != ']') {
            int named = regex.startsWith("[:", at) ? near(":]") : -1;
            if (named > 0) {
                at = named + 2;
            } else {
                range();
            }
        }
        at++;
    }

    /** Reads a character of a class, or a range. */
    private void range() {
        int low = character();
        boolean isRange =
                at + 1 < regex.length() && regex.charAt(at) == '-' && regex.charAt(at + 1) != ']';
        if (isRange) {
            at++;
            note(low, character());
        } else {
            note(low, low);
        }
    }

    /** Reads a character of a class, or the letter of an escape that matches several characters. */
    private int character() {
        char c = regex.charAt(at++);
        if (Character.isHighSurrogate(c)
                && at < regex.length()
                && Character.isLowSurrogate(regex.charAt(at))) {
            return Character.toCodePoint(c, regex.charAt(at++));
        }
        if (c != '\\' || at >= regex.length()) {
            return c;
        }
        char escaped = regex.charAt(at++);
        if (escaped == 'x') {
            int close = near("}");
            boolean hasBraces = close > 0 && regex.charAt(at) == '{';
            int from = hasBraces ? at + 1 : at;
            int to = hasBraces ? close : Math.min(regex.length(), at + 2);
            at = hasBraces ? close + 1 : to;
            return hexadecimal(from, to);
        }
        return isOctal(escaped) ? octal() : escaped;
    }

    private static boolean isOctal(char c) {
        return c >= '0' && c <= '7';
    }

    /** Returns an octal number of up to three digits. The first digit has been read. */
    private int octal() {
        int number = regex.charAt(at - 1) - '0';
        for (int i = 1; i < 3 && at < regex.length() && isOctal(regex.charAt(at)); i++) {
            number = 8 * number + regex.charAt(at++) - '0';
        }
        return number;
    }

    /** Reads after the opening brace; text that is no repetition is literal. */
    private void repetition() {
        int close = near("}");
        String inside = close < 0 ? "" : regex.substring(at, close);
        if (!inside.matches("[0-9]{1,9}(,[0-9]{0,9})?")) {
            item();
            return;
        }
        long most = 1;
        for (String bound : inside.split(",", -1)) {
            most = Math.max(most, bound.isEmpty() ? 0 : Long.parseLong(bound) + 1);
        }
        last = Math.multiplyExact(Math.min(last, SIZE_MAX + 1L), Math.min(most, SIZE_MAX + 1L));
        at = close + 1;
    }
}
