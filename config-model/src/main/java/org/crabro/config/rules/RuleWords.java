package org.crabro.config.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.crabro.config.stemming.Stemmer;
import org.crabro.text.Folding;
import org.crabro.text.Tokenizer;

/**
 * How the words of a rule base are compared with those of a query: folded, and by their stems if
 * the rule base permits it.
 *
 * @param stemming whether words with the same stem are equal
 * @param language in two letters
 */
public record RuleWords(boolean stemming, String language) {
    /** The words of a rule base that sets nothing. */
    static final RuleWords USUAL = new RuleWords(true, "en");

    /** The maximum length of a word that has other forms, in characters. */
    private static final int LENGTH_MAX = 64;

    /**
     * Returns the keys of the words of {@code text}. Words with equal keys are equal. A word with
     * other signs before or after it, such as {@code c++}, differs from the word alone.
     */
    public List<String> keys(String text) {
        List<String> tokens = Tokenizer.tokens(text);
        if (tokens.size() < 2 && !text.codePoints().allMatch(Tokenizer::isWordCharacter)) {
            return List.of(Folding.ACCENTS.of(text));
        }
        if (!stemming || !Stemmer.knows(language)) {
            return tokens;
        }
        // The dictionary of English has plurals, such as books, as words of their own.
        Stemmer stemmer = Stemmer.all(language).getLast();
        var keys = new ArrayList<String>();
        for (String token : tokens) {
            keys.add(token.length() > LENGTH_MAX ? token : stem(token, stemmer));
        }
        return keys;
    }

    private static String stem(String token, Stemmer stemmer) {
        stemmer.stem(token.toCharArray(), token.length());
        return new String(stemmer.buffer(), 0, stemmer.length());
    }

    /** Returns the words of a language tag, such as {@code de} or {@code en-US}. */
    RuleWords in(String tag) {
        return new RuleWords(stemming, Locale.forLanguageTag(tag.replace('_', '-')).getLanguage());
    }

    /** Returns the same words with or without stems. */
    RuleWords with(boolean stems) {
        return new RuleWords(stems, language);
    }
}
