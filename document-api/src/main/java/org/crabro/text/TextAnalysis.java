package org.crabro.text;

/** The version of the text analysis, which stored tokens refer to. */
public final class TextAnalysis {
    /**
     * Rises whenever any text gives other tokens than before, or the same ones folded otherwise:
     * with a change here, or with a Java platform that knows a newer Unicode. What was analysed
     * with another version is analysed again.
     */
    public static final int VERSION = 1;

    private TextAnalysis() {}

    /**
     * Returns a number that tells tokens folded one way from those folded another way or by another
     * version: it is kept with them. Bits in between are left for more that decides about tokens.
     */
    public static long fingerprint(Folding folding) {
        int code =
                switch (folding) {
                    case NONE -> 0;
                    case CASE -> 1;
                    case ACCENTS -> 2;
                };
        return (long) VERSION << 32 | code;
    }
}
