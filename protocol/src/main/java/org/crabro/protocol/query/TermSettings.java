package org.crabro.protocol.query;

/**
 * What a leaf carries beside what it looks for.
 *
 * @param weight percent, 100 unless said
 * @param ranked whether rank features see the leaf
 * @param affix how much of a token or value must be equal
 * @param hints what else the query says of it
 */
public record TermSettings(int weight, boolean ranked, Affix affix, TermHints hints) {
    /** What a leaf without annotations has. */
    public static final TermSettings DEFAULT = new TermSettings(100, true, Affix.FIELD);

    /** Settings of a leaf of which the query says nothing else. */
    public TermSettings(int weight, boolean ranked, Affix affix) {
        this(weight, ranked, affix, TermHints.NONE);
    }

    /** Which part of a token or value a word must be equal to. */
    public enum Affix {
        /** As the field's match settings say. */
        FIELD,
        PREFIX,
        SUFFIX,
        SUBSTRING
    }

    /** Returns the same with another weight. */
    public TermSettings withWeight(int other) {
        return new TermSettings(other, ranked, affix, hints);
    }

    /** Returns the same with another affix. */
    public TermSettings with(Affix other) {
        return new TermSettings(weight, ranked, other, hints);
    }

    /** Returns the same for a leaf that no feature sees. */
    public TermSettings unranked() {
        return new TermSettings(weight, false, affix, hints);
    }

    /** Returns the same for a leaf that only narrows. */
    public TermSettings filtering() {
        return new TermSettings(weight, false, affix, hints.filtering());
    }

    /** Returns the same with a label; an empty one is none. */
    public TermSettings labeled(String label) {
        return new TermSettings(weight, ranked, affix, hints.labeled(label));
    }

    /** Returns the same for a word of which it is said how common it is. */
    public TermSettings withFrequency(TermHints.Frequency frequency) {
        return new TermSettings(weight, ranked, affix, hints.withFrequency(frequency));
    }

    /** Returns these with the language of the words and whether other forms of them are found. */
    public TermSettings with(boolean stemmed, String language) {
        return new TermSettings(weight, ranked, affix, hints.with(stemmed, language));
    }

    /** Returns whether other forms of a word are found too, in fields that are matched so. */
    public boolean stemmed() {
        return hints.words().stem() && hints.words().implicit();
    }

    /** Returns the language of the words, as a tag; empty where nobody said it. */
    public String language() {
        return hints.words().language();
    }
}
