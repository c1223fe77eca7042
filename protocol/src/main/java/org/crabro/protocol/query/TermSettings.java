package org.crabro.protocol.query;

/**
 * What a leaf carries beside what it looks for.
 *
 * @param weight percent, 100 unless said
 * @param ranked whether rank features see the leaf
 * @param affix how much of a token or value must be equal
 */
public record TermSettings(int weight, boolean ranked, Affix affix) {
    /** What a leaf without annotations has. */
    public static final TermSettings DEFAULT = new TermSettings(100, true, Affix.FIELD);

    /** Which part of a token or value a word must be equal to. */
    public enum Affix {
        /** As the field's match settings say. */
        FIELD,
        PREFIX,
        SUFFIX,
        SUBSTRING
    }
}
