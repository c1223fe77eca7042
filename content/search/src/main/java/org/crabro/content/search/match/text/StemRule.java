package org.crabro.content.search.match.text;

import java.util.Locale;
import java.util.Optional;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Stemming;
import org.crabro.config.stemming.Stemmer;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.protocol.query.TermSettings;

/**
 * Matches forms of a word by stemming.
 *
 * @param language in two letters
 * @param stemming not {@link Stemming#NONE}
 */
public record StemRule(String language, Stemming stemming) implements WordRule {
    /** The language of words in queries that specify no language. */
    private static final String USUAL_LANGUAGE = "en";

    @Override
    public TokenMatcher test(byte[] word, WorkMeter work) {
        return new WordForms(word, this);
    }

    /**
     * Returns the rule for a word of a query in texts that are matched by {@code mode}; empty if
     * the word is not stemmed.
     */
    public static Optional<WordRule> of(MatchMode mode, TermSettings settings) {
        if (mode.stemming() == Stemming.NONE || !settings.stemmed()) {
            return Optional.empty();
        }
        String language = primary(settings.language());
        return Stemmer.knows(language)
                ? Optional.of(new StemRule(language, mode.stemming()))
                : Optional.empty();
    }

    private static String primary(String tag) {
        if (tag.isEmpty()) {
            return USUAL_LANGUAGE;
        }
        return Locale.forLanguageTag(tag.replace('_', '-')).getLanguage();
    }
}
