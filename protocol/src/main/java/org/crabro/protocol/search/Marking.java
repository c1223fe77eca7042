package org.crabro.protocol.search;

/**
 * How what was found is marked in texts that are shown.
 *
 * @param isOn whether it is marked at all
 * @param open what stands before it
 * @param close what stands behind it
 * @param separator what stands where text is left out
 */
public record Marking(boolean isOn, String open, String close, String separator) {
    /** What is shown unless a query says otherwise. */
    public static final Marking DEFAULT = new Marking(true, "<hi>", "</hi>", "<sep />");

    /** Returns the same, on or off. */
    public Marking on(boolean other) {
        return new Marking(other, open, close, separator);
    }
}
