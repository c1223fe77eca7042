package org.crabro.protocol.encoding;

import static org.crabro.text.EightBytes.EACH;
import static org.crabro.text.EightBytes.HIGH;

/** Looks for what JSON writes otherwise, or not as one byte, in eight bytes of text at a time. */
public final class PlainText {
    private PlainText() {}

    /**
     * Returns a word whose lowest bit that is set is the highest bit of the first byte that is a
     * quote, a backslash, a control character or no ASCII; 0 where there is none. Higher bits may
     * be wrong.
     *
     * @param word eight bytes, the first one lowest
     */
    public static long special(long word) {
        long quote = word ^ '"' * EACH;
        long escape = word ^ '\\' * EACH;
        // A byte that is no ASCII is found by itself: of the others only what is too small for what
        // is taken from it has the highest bit.
        return ((quote - EACH) | (escape - EACH) | (word - ' ' * EACH) | word) & HIGH;
    }

    /** Returns whether a byte is none of those that {@link #special} finds. */
    public static boolean isPlain(byte b) {
        return b >= ' ' && b != '"' && b != '\\';
    }
}
