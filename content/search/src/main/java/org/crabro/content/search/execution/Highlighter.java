package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.crabro.config.schema.SnippetSettings;
import org.crabro.content.search.match.text.TextMarks.Mark;
import org.crabro.protocol.search.Marking;
import org.crabro.text.Tokenizer;

/** Marks the words of a query in a text, and returns the whole text or the parts around them. */
final class Highlighter {
    /** A text that is longer than a snippet by less than this is returned whole. */
    private static final int SLACK = 32;

    private static final int SURROUND_MIN = 10;

    /** Longer words are cut. */
    private static final int WORD_MAX = 64;

    private Highlighter() {}

    /**
     * A part of a text.
     *
     * @param words how many different words of the query it contains
     */
    private record Part(int start, int end, int words) {
        int length() {
            return end - start;
        }
    }

    /** Returns the whole text with marks, which are in order. */
    static String whole(String text, List<Mark> marks, Marking marking) {
        return marked(text, 0, text.length(), marks, marking);
    }

    /** Returns the parts of a text with the most marks, or its beginning if there are no marks. */
    static String parts(String text, List<Mark> marks, SnippetSettings settings, Marking marking) {
        if (text.length() < settings.size().length() + SLACK) {
            return whole(text, marks, marking);
        }
        if (marks.isEmpty() && !settings.prefix()) {
            return "";
        }
        List<Part> parts =
                marks.isEmpty()
                        ? List.of(new Part(0, wordEnd(text, settings.size().length()), 0))
                        : around(text, marks, settings);
        var shown = new StringBuilder();
        int behind = 0;
        for (Part part : parts) {
            if (part.start() > behind) {
                shown.append(marking.separator());
            }
            shown.append(marked(text, part.start(), part.end(), marks, marking));
            behind = part.end();
        }
        if (behind < text.length()) {
            shown.append(marking.separator());
        }
        return shown.toString();
    }

    private static String marked(
            String text, int start, int end, List<Mark> marks, Marking marking) {
        if (!marking.isOn()) {
            return text.substring(start, end);
        }
        var shown = new StringBuilder(end - start);
        int behind = start;
        for (Mark mark : marks) {
            if (mark.start() >= behind && mark.end() <= end) {
                shown.append(text, behind, mark.start()).append(marking.open());
                shown.append(text, mark.start(), mark.end()).append(marking.close());
                behind = mark.end();
            }
        }
        return shown.append(text, behind, end).toString();
    }

    private static List<Part> around(String text, List<Mark> marks, SnippetSettings settings) {
        List<Part> best = best(marks, settings);
        int used = best.stream().mapToInt(Part::length).sum();
        long share = (settings.size().length() - used) / (2L * best.size());
        int surround = (int) Math.max(SURROUND_MIN, Math.min(share, settings.size().surroundMax()));
        var parts = new ArrayList<Part>();
        for (Part part : best) {
            int start = wordStart(text, part.start() - surround);
            int end = wordEnd(text, part.end() + surround);
            if (!parts.isEmpty() && start <= parts.getLast().end()) {
                Part before = parts.removeLast();
                start = before.start();
                end = Math.max(end, before.end());
            }
            parts.add(new Part(start, end, 0));
        }
        return parts;
    }

    /**
     * Returns the parts with the most different words, shorter and earlier parts first, in order.
     */
    private static List<Part> best(List<Mark> marks, SnippetSettings settings) {
        var candidates = new ArrayList<Part>();
        for (int i = 0; i < Math.min(marks.size(), settings.candidatesMax()); i++) {
            Set<Integer> words = new HashSet<>();
            int start = marks.get(i).start();
            int end = marks.get(i).end();
            for (int j = i;
                    j < marks.size() && marks.get(j).end() - start <= settings.window();
                    j++) {
                if (words.add(marks.get(j).pattern())) {
                    end = marks.get(j).end();
                }
            }
            candidates.add(new Part(start, end, words.size()));
        }
        candidates.sort(
                Comparator.comparingInt((Part part) -> -part.words())
                        .thenComparingInt(Part::length)
                        .thenComparingInt(Part::start));
        var best = new ArrayList<Part>();
        long length = 0;
        for (Part candidate : candidates) {
            boolean isFree =
                    best.stream()
                            .allMatch(part ->
                                    candidate.end() <= part.start()
                                            || candidate.start() >= part.end());
            if (isFree) {
                best.add(candidate);
                // The text around the part counts too.
                length += candidate.length() + 2L * settings.size().surroundMax();
            }
            if (best.size() >= settings.size().maxMatches()
                    && length >= settings.size().minLength()) {
                break;
            }
        }
        best.sort(Comparator.comparingInt(Part::start));
        return best;
    }

    /** Returns the start of the word at {@code at}, so that a part does not cut it. */
    private static int wordStart(String text, int at) {
        return at <= 0 ? 0 : at - letters(text, at, -1);
    }

    /** Returns the end of the word at {@code at}, so that a part does not cut it. */
    private static int wordEnd(String text, int at) {
        return at >= text.length() ? text.length() : at + letters(text, at, 1);
    }

    /** Returns the number of characters to the end of the word, forward or back. */
    private static int letters(String text, int at, int direction) {
        int next = at;
        while (next > 0
                && next < text.length()
                && Math.abs(next - at) < WORD_MAX
                && isInWord(text, next)) {
            next += direction;
        }
        // A part never cuts between the two halves of a character.
        if (next > 0 && next < text.length() && Character.isLowSurrogate(text.charAt(next))) {
            next += direction;
        }
        return Math.abs(next - at);
    }

    /** Returns whether the characters before and at {@code at} belong to a word. */
    private static boolean isInWord(String text, int at) {
        return Tokenizer.isWordCharacter(text.codePointBefore(at))
                && Tokenizer.isWordCharacter(text.codePointAt(at));
    }
}
