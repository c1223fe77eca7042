package org.crabro.ranking.program;

import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.charset.StandardCharsets;

/**
 * The value of a string in an expression: a number from its hash, which is only useful for tests of
 * equality.
 */
public final class StringValue {
    /** Clears the lowest bit of the exponent. */
    private static final long FINITE = 0xffef_ffff_ffff_ffffL;

    private static final long EXPONENT = 0x7ff0_0000_0000_0000L;

    private StringValue() {}

    /** Returns the number that {@code text} is worth; never infinite and never NaN. */
    public static double of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the number that the string with the bytes {@code utf8} is worth. */
    public static double of(byte[] utf8) {
        long hash = Hashing.xxh3_64().hashBytesToLong(utf8);
        boolean isSpecial = (hash & EXPONENT) == EXPONENT;
        return Double.longBitsToDouble(isSpecial ? hash & FINITE : hash);
    }
}
