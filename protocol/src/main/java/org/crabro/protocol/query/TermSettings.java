package org.crabro.protocol.query;

/**
 * The settings of a leaf.
 *
 * @param weight in percent, 100 by default
 * @param ranked whether rank features see the leaf
 * @param affix which part of a token or value must be equal
 * @param grams how grams must occur, in fields that are matched by grams
 * @param hints further settings
 */
public record TermSettings(
        int weight, boolean ranked, Affix affix, GramMatch grams, TermHints hints) {
    /** The settings of a leaf without annotations. */
    public static final TermSettings DEFAULT = new TermSettings(100, true, Affix.FIELD);

    /** Settings by which all grams must occur. */
    public TermSettings(int weight, boolean ranked, Affix affix, TermHints hints) {
        this(weight, ranked, affix, GramMatch.ALL, hints);
    }

    /** Settings without hints, by which all grams must occur. */
    public TermSettings(int weight, boolean ranked, Affix affix) {
        this(weight, ranked, affix, TermHints.NONE);
    }

    /** Which part of a token or value a word must be equal to. */
    public enum Affix {
        /** As in the field's match settings. */
        FIELD,
        PREFIX,
        SUFFIX,
        SUBSTRING
    }

    /** Returns the same settings with another weight. */
    public TermSettings withWeight(int other) {
        return new TermSettings(other, ranked, affix, grams, hints);
    }

    /** Returns the same settings with another affix. */
    public TermSettings with(Affix other) {
        return new TermSettings(weight, ranked, other, grams, hints);
    }

    /** Returns the same settings with another match of grams. */
    public TermSettings with(GramMatch other) {
        return new TermSettings(weight, ranked, affix, other, hints);
    }

    /** Returns the same settings for a leaf that no feature sees. */
    public TermSettings unranked() {
        return new TermSettings(weight, false, affix, grams, hints);
    }

    /** Returns the same settings for a leaf that only filters. */
    public TermSettings filtering() {
        return new TermSettings(weight, false, affix, grams, hints.filtering());
    }

    /** Returns the same settings with a label; empty removes it. */
    public TermSettings labeled(String label) {
        return new TermSettings(weight, ranked, affix, grams, hints.labeled(label));
    }

    /** Returns the same settings with the frequency of the word. */
    public TermSettings withFrequency(TermHints.Frequency frequency) {
        return new TermSettings(weight, ranked, affix, grams, hints.withFrequency(frequency));
    }

    /** Returns the same settings with the language of the words, and with or without stemming. */
    public TermSettings with(boolean stemmed, String language) {
        return new TermSettings(weight, ranked, affix, grams, hints.with(stemmed, language));
    }

    /** Returns the same settings with another spelling of the words. */
    public TermSettings with(Spelling spelling) {
        return spelling.equals(spelling())
                ? this
                : new TermSettings(weight, ranked, affix, grams, hints.with(spelling));
    }

    /** Returns how words may be spelled. */
    public Spelling spelling() {
        return hints.words().spelling();
    }

    /** Returns whether other forms of a word match too, in fields with stemming. */
    public boolean stemmed() {
        return hints.words().stem() && hints.words().implicit();
    }

    /** Returns the language tag of the words; empty if the query specifies none. */
    public String language() {
        return hints.words().language();
    }
}
