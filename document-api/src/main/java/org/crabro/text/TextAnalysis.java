package org.crabro.text;

/** Which analysis of text this is, for what is kept of its results. */
public final class TextAnalysis {
    /**
     * Rises whenever any text gives other tokens than before, or the same ones folded otherwise:
     * with a change here, or with a Java platform that knows a newer Unicode. What was analysed
     * with another version is analysed again.
     */
    public static final int VERSION = 1;

    private TextAnalysis() {}
}
