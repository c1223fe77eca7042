package org.crabro.config.schema;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.config.schema.MatchMode.Unit;

/**
 * A keyword of {@code match} in a schema.
 *
 * <p>The parser turns the text into a constant; later steps use the constant. A new keyword needs a
 * constant here, a case of {@link #applied} and, if it is a new kind of comparison, a constant of
 * {@link Unit} or {@link Affix}.
 */
public enum MatchWord {
    /** Compares folded tokens. */
    TEXT(Part.UNIT),
    /** An old name of {@link #TEXT}. */
    TOKEN(Part.UNIT),
    /** Compares whole values. */
    WORD(Part.UNIT),
    /** Compares whole values, like {@link #WORD}. */
    EXACT(Part.UNIT),
    /** Compares overlapping parts of tokens, each of a fixed number of characters. */
    GRAM(Part.UNIT),
    /** Upper and lower case differ. */
    CASED(Part.CASE),
    /** Upper and lower case are equal. */
    UNCASED(Part.CASE),
    /** The start of the unit must be equal. */
    PREFIX(Part.AFFIX),
    /** Any part of the unit must be equal. */
    SUBSTRING(Part.AFFIX),
    /** The end of the unit must be equal. */
    SUFFIX(Part.AFFIX);

    /** The part of a mode that a word sets. A field sets each part at most once. */
    public enum Part {
        UNIT,
        AFFIX,
        CASE
    }

    private final Part part;

    MatchWord(Part part) {
        this.part = part;
    }

    /** Returns the word with this text, in small letters, if the language has it. */
    public static Optional<MatchWord> of(String text) {
        for (MatchWord word : values()) {
            if (word.text().equals(text)) {
                return Optional.of(word);
            }
        }
        return Optional.empty();
    }

    /** Returns the texts of all words. */
    public static Set<String> texts() {
        var texts = new TreeSet<String>();
        for (MatchWord word : values()) {
            texts.add(word.text());
        }
        return texts;
    }

    /** Returns the word as schemas write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the part of a mode that the word sets. */
    public Part part() {
        return part;
    }

    /**
     * Returns {@code mode} with the part that this word sets. The result has neither stemming nor
     * grams, which the field sets later.
     */
    public MatchMode applied(MatchMode mode) {
        return switch (this) {
            case TEXT, TOKEN, GRAM -> new MatchMode(Unit.TOKEN, mode.affix(), mode.cased());
            case WORD, EXACT -> new MatchMode(Unit.VALUE, mode.affix(), mode.cased());
            case PREFIX -> new MatchMode(mode.unit(), Affix.PREFIX, mode.cased());
            case SUFFIX -> new MatchMode(mode.unit(), Affix.SUFFIX, mode.cased());
            case SUBSTRING -> new MatchMode(mode.unit(), Affix.SUBSTRING, mode.cased());
            case CASED -> new MatchMode(mode.unit(), mode.affix(), true);
            case UNCASED -> new MatchMode(mode.unit(), mode.affix(), false);
        };
    }
}
