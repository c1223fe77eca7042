package org.crabro.document.time;

/**
 * The values that a text of a time names, in the unit of a field.
 *
 * @param first the first value that is not before the beginning
 * @param last the last value; smaller than {@code first} if the text names a time between two
 *     values
 */
public record TimeSpan(long first, long last) {
    /** Returns the last value that is not after the beginning. */
    public long floor() {
        return Math.min(first, last);
    }
}
