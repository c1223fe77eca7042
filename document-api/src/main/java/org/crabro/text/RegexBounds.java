package org.crabro.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Whether a regular expression may be compiled at all: compiling goes into groups by calling
 * itself, and writes out what is repeated as often as it is, repetitions of repetitions included.
 */
public final class RegexBounds {
    /** How deep groups are in each other at most. */
    public static final int DEPTH_MAX = 200;

    /** How many steps an expression comes to at most, once repetitions are written out. */
    public static final int SIZE_MAX = 10_000;

    /** Longer than numbers of repetitions, and names of classes, are. */
    private static final int NEAR_CHARS = 24;

    private final String regex;
    private int at;

    /** Of what stands before the last item in the group that is open. */
    private long before;

    /** Of the last item, which a repetition behind it is about. */
    private long last;

    private RegexBounds(String regex) {
        this.regex = regex;
    }

    /** Returns what is too much about an expression, right or wrong; nothing where it is fine. */
    public static Optional<String> problem(String regex) {
        return new RegexBounds(regex).problem();
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
                default -> item();
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

    private static Optional<String> tooLong() {
        return Optional.of("more than " + SIZE_MAX + " steps with all its repetitions");
    }

    private void item() {
        before += last;
        last = 1;
    }

    /** Names in braces behind a backslash are no repetitions; what is quoted stands for itself. */
    private void escape() {
        item();
        if (at >= regex.length()) {
            return;
        }
        char escaped = regex.charAt(at++);
        if (escaped == 'Q') {
            int end = regex.indexOf("\\E", at);
            int close = end < 0 ? regex.length() : end;
            before += close - at;
            at = end < 0 ? close : end + 2;
        } else if ("pPx".indexOf(escaped) >= 0 && at < regex.length() && regex.charAt(at) == '{') {
            int close = regex.indexOf('}', at);
            at = close < 0 ? regex.length() : close + 1;
        }
    }

    /** Returns where something stands not far from here; -1 for nowhere. */
    private int near(String end) {
        int found = regex.substring(at, Math.min(regex.length(), at + NEAR_CHARS)).indexOf(end);
        return found < 0 ? -1 : at + found;
    }

    private void skipClass() {
        if (at < regex.length() && regex.charAt(at) == '^') {
            at++;
        }
        if (at < regex.length() && regex.charAt(at) == ']') {
            at++;
        }
        while (at < regex.length() && regex.charAt(at) != ']') {
            int named = regex.startsWith("[:", at) ? near(":]") : -1;
            if (named > 0) {
                at = named + 2;
            } else {
                at += regex.charAt(at) == '\\' ? 2 : 1;
            }
        }
        at++;
    }

    /** Reads from behind the brace; what is no repetition stands for itself. */
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
