package org.crabro.config.schema;

/**
 * How much of a text a snippet shows, and which of its words are marked.
 *
 * @param length about so many characters are shown
 * @param maxMatches the parts that are shown, if they come to {@code minLength}
 * @param minLength more parts are shown where fewer would be shorter together
 * @param surroundMax the most characters before and behind what is found
 * @param window words that are no further apart make one part
 * @param candidatesMax how many words that are found are looked at
 * @param stemMinLength a word that goes on is marked, too, where more of it than this is sought
 * @param stemMaxExtend and no more than this behind it
 * @param prefix whether the beginning is shown where nothing is found
 */
public record SnippetSettings(
        int length,
        int maxMatches,
        int minLength,
        int surroundMax,
        int window,
        int candidatesMax,
        int stemMinLength,
        int stemMaxExtend,
        boolean prefix) {
    /** What holds where a package says nothing. */
    public static final SnippetSettings DEFAULT =
            new SnippetSettings(256, 3, 128, 128, 200, 1_000, 5, 3, true);
}
