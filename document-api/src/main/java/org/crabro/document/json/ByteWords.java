package org.crabro.document.json;

import static org.crabro.text.EightBytes.EACH;
import static org.crabro.text.EightBytes.HIGH;

import org.crabro.text.EightBytes;

/** Searches and decodes bytes, eight at a time. The first byte is the lowest of a word. */
public final class ByteWords {
    private static final long LOW_BITS = ~HIGH;
    private static final long LINE_ENDS = '\n' * EACH;

    private ByteWords() {}

    /** Returns the index of the first line end, {@code to} if there is none. */
    public static int lineEnd(byte[] bytes, int from, int to) {
        int i = from;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            long ends = zeros(EightBytes.of(bytes, i) ^ LINE_ENDS);
            if (ends != 0) {
                return i + EightBytes.firstHigh(ends);
            }
        }
        while (i < to && bytes[i] != '\n') {
            i++;
        }
        return i;
    }

    /** Returns the index of the last line end, -1 if there is none from {@code from} on. */
    public static int lastLineEnd(byte[] bytes, int from, int to) {
        int i = to;
        for (; i - Long.BYTES >= from; i -= Long.BYTES) {
            long ends = zeros(EightBytes.of(bytes, i - Long.BYTES) ^ LINE_ENDS);
            if (ends != 0) {
                return i - 1 - (Long.numberOfLeadingZeros(ends) >>> 3);
            }
        }
        for (i--; i >= from; i--) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    /** Returns a word with the highest bit set in each byte that is zero. */
    private static long zeros(long word) {
        return ~(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS);
    }

    /**
     * Returns whether all bytes are ASCII that JSON writes unescaped. May return false if one of
     * them is 0x7f.
     */
    public static boolean arePlain(long word) {
        return ((PlainText.special(word) | (word + EACH)) & HIGH) == 0;
    }

    /** Returns a word with the highest bit set in each byte that is not a hexadecimal digit. */
    public static long notHex(long word) {
        long digits = word ^ ('0' * EACH);
        long noDigits = ((digits & LOW_BITS) + (0x80 - 10) * EACH) | digits;
        // Letters of both cases are 1 to 6 now.
        long letters = (word | (0x20 * EACH)) ^ (0x60 * EACH);
        long low = letters & LOW_BITS;
        long areLetters = (low + 0x7f * EACH) & ~(low + (0x80 - 7) * EACH) & ~letters;
        return noDigits & ~areLetters & HIGH;
    }

    /** Returns the value of eight hexadecimal digits. */
    public static int hex(long word) {
        long digits = (word & (0x0f * EACH)) + 9 * ((word >>> 6) & EACH);
        long pairs = ((digits << 4) | (digits >>> 8)) & 0x00ff_00ff_00ff_00ffL;
        long fours = (pairs | (pairs >>> 8)) & 0x0000_ffff_0000_ffffL;
        return Integer.reverseBytes((int) (fours | (fours >>> 16)));
    }
}
