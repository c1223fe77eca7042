package org.crabro.document.json;

import static org.crabro.text.EightBytes.EACH;
import static org.crabro.text.EightBytes.HIGH;

/** Finds bytes that JSON must escape, or that are not ASCII, in eight bytes at a time. */
public final class PlainText {
    private PlainText() {}

    /**
     * Returns a word whose lowest set bit is the highest bit of the first byte that is a quote, a
     * backslash, a control character or not ASCII; 0 if there is none. Higher bits may be wrong.
     *
     * @param word eight bytes, the first one lowest
     */
    public static long special(long word) {
        long quote = word ^ '"' * EACH;
        long escape = word ^ '\\' * EACH;
        // A byte that is not ASCII has its highest bit set. Of the others, only a byte smaller than
        // the subtrahend has its highest bit set after the subtraction.
        return ((quote - EACH) | (escape - EACH) | (word - ' ' * EACH) | word) & HIGH;
    }

    /** Returns whether a byte is plain, which is none of those that {@link #special} finds. */
    public static boolean isPlain(byte b) {
        return b >= ' ' && b != '"' && b != '\\';
    }
}
