package org.crabro.tensor;

import static org.crabro.text.EightBytes.EACH;
import static org.crabro.text.EightBytes.HIGH;

import java.util.stream.LongStream;
import org.crabro.text.EightBytes;

/**
 * Reads up to eight decimal digits at a time, of words of eight characters, the first the lowest
 * byte: without a branch for each digit, as how many there are cannot be foretold.
 */
public final class DigitWords {
    private static final long UPPER_HALVES = 0xf0f0_f0f0_f0f0_f0f0L;

    /** The powers of ten that as many digits as two words have lead to. */
    private static final long[] TENS = LongStream.iterate(1, ten -> 10 * ten).limit(17).toArray();

    private DigitWords() {}

    /** Returns whether all bytes are decimal digits. */
    public static boolean areDigits(long word) {
        // The upper half of a digit is 3, also of one that is larger by 6.
        long upper = word & UPPER_HALVES;
        long upperOfLarger = (word + 0x06 * EACH) & UPPER_HALVES;
        return (upper | (upperOfLarger >>> 4)) == 0x33 * EACH;
    }

    /** Returns how many of the first bytes are decimal digits, 0 to 8. */
    public static int leadingDigits(long word) {
        long values = word ^ ('0' * EACH);
        long others = (((values & ~HIGH) + (0x80 - 10) * EACH) | values);
        return EightBytes.firstHigh(others);
    }

    /**
     * Returns the first {@code count} bytes, 0 to 8, as the last ones of a word, behind zeros:
     * which count as the digit 0.
     */
    public static long lastOnly(long word, int count) {
        // In two steps: to shift by all bits at once is to shift by none.
        return (word << (4 * (Long.BYTES - count))) << (4 * (Long.BYTES - count));
    }

    /** Returns the number that eight decimal digits are. */
    public static long decimal(long word) {
        long digits = word & (0x0f * EACH);
        long pairs = (digits * 10 + (digits >>> 8)) & 0x00ff_00ff_00ff_00ffL;
        long fours = (pairs * 100 + (pairs >>> 16)) & 0x0000_ffff_0000_ffffL;
        return (fours * 10_000 + (fours >>> 32)) & 0xffff_ffffL;
    }

    /** Returns what a number is multiplied with where {@code digits} more follow, 0 to 16. */
    public static long tens(int digits) {
        return TENS[digits];
    }
}
