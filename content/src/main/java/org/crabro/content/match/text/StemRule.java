package org.crabro.content.match.text;

import java.util.Locale;
import java.util.Optional;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Stemming;
import org.crabro.content.query.WorkMeter;
import org.crabro.protocol.query.TermSettings;

/**
 * Which forms of a word count as the same word.
 *
 * @param language in two letters
 * @param stemming not {@link Stemming#NONE}
 */
public record StemRule(String language, Stemming stemming) implements WordRule {
    /** What words of queries are taken for that say no language. */
    private static final String USUAL_LANGUAGE = "en";

    @Override
    public TokenMatcher test(byte[] word, WorkMeter work) {
        return new WordForms(word, this);
    }

    /**
     * Returns the rule for a word of a query in texts that are matched by {@code mode}; nothing
     * where it is found only as it is written.
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
