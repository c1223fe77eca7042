package org.crabro.config.schema;

/**
 * How much of a text a snippet contains, and which of its words are marked.
 *
 * @param window matches at most this many characters apart are one part
 * @param candidatesMax the maximal number of matches to consider
 * @param prefix whether a text without a match is shown from its start
 */
public record SnippetSettings(
        SnippetSize size, int window, int candidatesMax, StemMarking stem, boolean prefix) {
    /** The settings of a package that sets none. */
    public static final SnippetSettings DEFAULT =
            new SnippetSettings(
                    new SnippetSize(256, 128, 3, 128), 200, 1_000, new StemMarking(5, 3), true);
}
