package org.crabro.text;

/** The version of the text analysis, which stored tokens refer to. */
public final class TextAnalysis {
    /**
     * Must be increased whenever tokens or their folding change for any text: with a change here,
     * or with a Java version that has newer Unicode data. Texts that were analysed with another
     * version are analysed again.
     */
    public static final int VERSION = 1;

    private TextAnalysis() {}

    /**
     * Returns a number that identifies the version and the folding of tokens. It is stored with
     * them. The bits between are reserved for further properties of tokens.
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
