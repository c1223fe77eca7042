package org.crabro.text;

/**
 * An analysis of words that does more than to fold them.
 *
 * @param isNormalized whether words are normalized to NFKC before they are folded: ligatures,
 *     circled, raised and full-width characters become plain ones
 */
public record WordAnalysis(Folding folding, boolean isNormalized, SpecialTokens special)
        implements TextAnalysis {}
