package org.crabro.config.schema;

import org.crabro.text.Folding;

/**
 * How text of a field is matched.
 *
 * @param cased whether upper and lower case differ; then nothing is folded
 */
public record MatchMode(Unit unit, Affix affix, boolean cased) {
    /** What strings of {@code index} fields have unless said. */
    public static final MatchMode TEXT = new MatchMode(Unit.TOKEN, Affix.WHOLE, false);

    /** What strings of fields with {@code attribute} alone have unless said. */
    public static final MatchMode WORD = new MatchMode(Unit.VALUE, Affix.WHOLE, false);

    /** What a word is compared with. */
    public enum Unit {
        /** Tokens, folded. */
        TOKEN,
        /** The whole value, in lower case. */
        VALUE
    }

    /** How much of the unit must be equal. */
    public enum Affix {
        WHOLE,
        PREFIX,
        SUFFIX,
        SUBSTRING
    }

    /**
     * Returns how texts of the field, and words of queries, are folded before they are compared.
     */
    public Folding folding() {
        if (cased) {
            return Folding.NONE;
        }
        return switch (unit) {
            case TOKEN -> Folding.ACCENTS;
            case VALUE -> Folding.CASE;
        };
    }
}
