package org.crabro.container.processing;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Cuts texts into pieces that are embedded one by one. */
final class Chunks {
    /** A piece may be longer by this part of its length, to end between words. */
    private static final int SLACK = 20;

    private Chunks() {}

    /** Returns the sentences, without the blanks around them. */
    static List<String> sentences(String text, MadeValues memory) {
        var sentences = new ArrayList<String>();
        var breaks = BreakIterator.getSentenceInstance(Locale.ROOT);
        breaks.setText(text);
        int start = breaks.first();
        for (int end = breaks.next(); end != BreakIterator.DONE; end = breaks.next()) {
            String sentence = text.substring(start, end).strip();
            if (!sentence.isEmpty()) {
                memory.part(sentence);
                sentences.add(sentence);
            }
            start = end;
        }
        return sentences;
    }

    /** Returns pieces of {@code length} characters, or a few more, so that words stay whole. */
    static List<String> ofLength(String text, int length, MadeValues memory) {
        var pieces = new ArrayList<String>();
        int start = 0;
        while (start < text.length()) {
            int end = end(text, start, length);
            String piece = text.substring(start, end);
            memory.part(piece);
            pieces.add(piece);
            start = end;
        }
        return pieces;
    }

    private static int end(String text, int start, int length) {
        if (text.length() - start <= length) {
            return text.length();
        }
        int usual = start + length;
        int last = Math.min(text.length(), usual + length / SLACK);
        for (int end = usual; end < last; end++) {
            if (!Character.isLetterOrDigit(text.charAt(end)) && !splitsPair(text, end)) {
                return end;
            }
        }
        return splitsPair(text, usual) ? usual + 1 : usual;
    }

    private static boolean splitsPair(String text, int end) {
        return end < text.length() && Character.isLowSurrogate(text.charAt(end));
    }
}
