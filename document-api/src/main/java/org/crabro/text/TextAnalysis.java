package org.crabro.text;

import java.nio.charset.StandardCharsets;

/** How a text is cut into words, and which differences of words are removed. */
public sealed interface TextAnalysis permits Folding, WordAnalysis {
    /**
     * Must be increased whenever tokens or their folding change for any text: with a change here,
     * or with a Java version that has newer Unicode data. Texts that were analysed with another
     * version are analysed again.
     */
    int VERSION = 1;

    /** Returns the folding of words. */
    Folding folding();

    /** Returns whether words are normalized to NFKC before they are folded. */
    boolean isNormalized();

    /** Returns the words with separators inside. */
    SpecialTokens special();

    /** Returns a number that identifies the version and the analysis. It is stored with tokens. */
    static long fingerprint(TextAnalysis analysis) {
        int code =
                switch (analysis.folding()) {
                    case NONE -> 0;
                    case CASE -> 1;
                    case ACCENTS -> 2;
                };
        long plain = (long) VERSION << 32 | code;
        if (!analysis.isNormalized() && analysis.special().isEmpty()) {
            return plain;
        }
        var described = new StringBuilder().append(plain).append(analysis.isNormalized());
        for (SpecialTokens.Token token : analysis.special().tokens()) {
            described.append('\n').append(token.text()).append('\t').append(token.replacement());
        }
        // The lowest bit that no plain fingerprint has keeps them apart.
        byte[] bytes = described.toString().getBytes(StandardCharsets.UTF_8);
        return Tokenizer.hash(bytes) | 1L << 31;
    }
}
