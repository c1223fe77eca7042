package org.crabro.protocol.search;

/**
 * The highlighting of matches in returned texts.
 *
 * @param isOn whether matches are highlighted
 * @param open the text before a match
 * @param close the text after a match
 * @param separator the text in place of omitted parts
 */
public record Marking(boolean isOn, String open, String close, String separator) {
    /** The default of queries. */
    public static final Marking DEFAULT = new Marking(true, "<hi>", "</hi>", "<sep />");

    /** Returns the same settings, on or off. */
    public Marking on(boolean other) {
        return new Marking(other, open, close, separator);
    }
}
