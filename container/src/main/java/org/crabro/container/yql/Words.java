package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;

/** The words of a text: runs of letters, digits and marks. */
final class Words {
    private Words() {}

    static List<String> of(String text) {
        var words = new ArrayList<String>();
        int at = 0;
        while (at < text.length()) {
            int end = endOfWord(text, at);
            if (end > at) {
                words.add(text.substring(at, end));
                at = end;
            } else {
                at += Character.charCount(text.codePointAt(at));
            }
        }
        return words;
    }

    /** Returns the index behind the word that starts at {@code from}; {@code from} for none. */
    static int endOfWord(String text, int from) {
        int at = from;
        while (at < text.length() && isPart(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        return at;
    }

    private static boolean isPart(int codePoint) {
        if (Character.isLetterOrDigit(codePoint)) {
            return true;
        }
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK,
                    Character.COMBINING_SPACING_MARK,
                    Character.LETTER_NUMBER,
                    Character.PRIVATE_USE ->
                    true;
            default -> false;
        };
    }
}
