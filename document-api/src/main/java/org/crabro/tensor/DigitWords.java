package org.crabro.tensor;

import static org.crabro.text.EightBytes.EACH;
import static org.crabro.text.EightBytes.HIGH;

import java.util.stream.LongStream;
import org.crabro.text.EightBytes;

/**
 * Parses up to eight decimal digits at a time, in words of eight characters, the first in the
 * lowest byte. There is no branch for each digit, because the number of digits is not predictable.
 */
public final class DigitWords {
    private static final long UPPER_HALVES = 0xf0f0_f0f0_f0f0_f0f0L;

    /** The powers of ten for the number of digits of two words. */
    private static final long[] TENS = LongStream.iterate(1, ten -> 10 * ten).limit(17).toArray();

    private DigitWords() {}

    /** Returns whether all bytes are decimal digits. */
    public static boolean areDigits(long word) {
        // The upper half of a digit is 3, even if 6 is added to it.
        long upper = word & UPPER_HALVES;
        long upperOfLarger = (word + 0x06 * EACH) & UPPER_HALVES;
        return (upper | (upperOfLarger >>> 4)) == 0x33 * EACH;
    }

    /** Returns the number of leading bytes that are decimal digits, 0 to 8. */
    public static int leadingDigits(long word) {
        long values = word ^ ('0' * EACH);
        long others = (((values & ~HIGH) + (0x80 - 10) * EACH) | values);
        return EightBytes.firstHigh(others);
    }

    /**
     * Returns a word with the first {@code count} bytes, 0 to 8, at its end. The bytes before are
     * zeros, which count as the digit 0.
     */
    public static long lastOnly(long word, int count) {
        // In two steps, because a shift by 64 bits has no effect.
        return (word << (4 * (Long.BYTES - count))) << (4 * (Long.BYTES - count));
    }

    /** Returns the value of eight decimal digits. */
    public static long decimal(long word) {
        long digits = word & (0x0f * EACH);
        long pairs = (digits * 10 + (digits >>> 8)) & 0x00ff_00ff_00ff_00ffL;
        long fours = (pairs * 100 + (pairs >>> 16)) & 0x0000_ffff_0000_ffffL;
        return (fours * 10_000 + (fours >>> 32)) & 0xffff_ffffL;
    }

    /** Returns the factor for a number that is followed by {@code digits} more digits, 0 to 16. */
    public static long tens(int digits) {
        return TENS[digits];
    }
}
