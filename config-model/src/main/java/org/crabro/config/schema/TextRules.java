package org.crabro.config.schema;

import org.crabro.text.SpecialTokens;

/**
 * Which differences between texts count, and where words end.
 *
 * @param cased whether upper and lower case differ; then nothing is folded
 * @param accented whether words with and without accents differ
 * @param normalized whether words are normalized to NFKC
 * @param special words with separators inside
 */
public record TextRules(
        boolean cased, boolean accented, boolean normalized, SpecialTokens special) {
    /** The rules of a field whose schema sets none. */
    static final TextRules USUAL = new TextRules(false, false, false, SpecialTokens.NONE);

    /** Returns the same rules for words whose accents count. */
    TextRules withAccents() {
        return new TextRules(cased, true, normalized, special);
    }

    /** Returns the same rules for texts whose case counts or not. */
    TextRules cased(boolean other) {
        return new TextRules(other, accented, normalized, special);
    }
}
