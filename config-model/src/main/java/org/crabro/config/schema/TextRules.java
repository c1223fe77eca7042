package org.crabro.config.schema;

import org.crabro.text.SpecialTokens;

/**
 * Which differences between texts count, and where words end.
 *
 * @param cased whether upper and lower case differ; then nothing is folded
 * @param normalized whether words are normalized to NFKC
 * @param special words with separators inside
 */
public record TextRules(boolean cased, boolean normalized, SpecialTokens special) {
    /** The rules of a field whose schema sets none. */
    static final TextRules USUAL = new TextRules(false, false, SpecialTokens.NONE);

    /** Returns the same rules for texts whose case counts or not. */
    TextRules cased(boolean other) {
        return new TextRules(other, normalized, special);
    }
}
