package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;
import org.crabro.text.SpecialTokens;
import org.crabro.text.Tokenizer;

/** Splits a text into words at the same places as documents, without folding. */
final class QueryWords {
    private QueryWords() {}

    static List<String> of(String text, QueryContext context) {
        var words = new ArrayList<String>();
        int at = 0;
        while (at < text.length()) {
            int end = endOfWord(text, at, context.specialTokens());
            if (end > at) {
                context.count(0);
                words.add(text.substring(at, end));
                at = end;
            } else {
                at += Character.charCount(text.codePointAt(at));
            }
        }
        return words;
    }

    /** Returns the end of the word that starts at {@code from}; {@code from} if there is none. */
    static int endOfWord(String text, int from, SpecialTokens special) {
        int at = special.end(text, from);
        if (at > from) {
            return at;
        }
        while (at < text.length() && Tokenizer.isWordCharacter(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        return at;
    }
}
