package org.crabro.container.bulk;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * The double nearest to a decimal number of many digits, by multiplying its digits with the begin
 * of a power of five, 128 bits long. Where these bits do not decide, the slow and exact way does.
 * The method is that of Eisel and Lemire.
 */
final class DecimalNumbers {
    private static final int LOWEST = -342;
    private static final int HIGHEST = 308;
    private static final int DIGITS_MAX = 19;

    /** Of a lower power of ten no number of 64 bits can be divided without a rest. */
    private static final int LAST_EXACT = -27;

    /** The upper and lower 64 bits of each power of five, its highest bit first. */
    private static final long[] UPPER = new long[HIGHEST - LOWEST + 1];

    private static final long[] LOWER = new long[UPPER.length];

    static {
        for (int power = LOWEST; power <= HIGHEST; power++) {
            BigInteger bits;
            if (power >= 0) {
                BigInteger exact = BigInteger.valueOf(5).pow(power);
                int shift = exact.bitLength() - 128;
                bits = shift > 0 ? exact.shiftRight(shift) : exact.shiftLeft(-shift);
            } else {
                BigInteger divisor = BigInteger.valueOf(5).pow(-power);
                int shift = divisor.bitLength() + 127;
                bits = BigInteger.ONE.shiftLeft(shift).divide(divisor);
                if (power >= LAST_EXACT) {
                    // Rounded up: products of what is exact come out exact.
                    bits = bits.add(BigInteger.ONE);
                }
            }
            UPPER[power - LOWEST] = bits.shiftRight(64).longValue();
            LOWER[power - LOWEST] = bits.longValue();
        }
    }

    private DecimalNumbers() {}

    /**
     * Returns the double nearest to {@code digits} times ten to the {@code exponent}.
     *
     * @param text the number as it is written, between {@code from} and {@code to}
     * @param digits its digits as one number, right where {@code count} is at most 19
     */
    static double parse(
            byte[] text,
            int from,
            int to,
            long digits,
            int count,
            int exponent,
            boolean isNegative) {
        if (count <= DIGITS_MAX && exponent >= LOWEST && exponent <= HIGHEST) {
            if (digits == 0) {
                return isNegative ? -0.0 : 0.0;
            }
            double nearest = nearest(digits, exponent);
            if (!Double.isNaN(nearest)) {
                return isNegative ? -nearest : nearest;
            }
        }
        return Double.parseDouble(new String(text, from, to - from, StandardCharsets.US_ASCII));
    }

    /** Returns NaN where the bits that are looked at do not decide. */
    private static double nearest(long digits, int exponent) {
        int zeros = Long.numberOfLeadingZeros(digits);
        long mantissa = digits << zeros;
        long upper = UPPER[exponent - LOWEST];
        long high = Math.unsignedMultiplyHigh(mantissa, upper);
        long low = mantissa * upper;
        if ((high & 0x1ff) == 0x1ff) {
            long lower = LOWER[exponent - LOWEST];
            long carryHigh = Math.unsignedMultiplyHigh(mantissa, lower);
            long sum = low + carryHigh;
            if (Long.compareUnsigned(sum, low) < 0) {
                high++;
            }
            if ((high & 0x1ff) == 0x1ff && sum == -1L) {
                return Double.NaN;
            }
            low = sum;
        }
        int top = (int) (high >>> 63);
        long bits = high >>> (top + 9);
        // 217706 / 2^16 is log2(10): the power of two of the product.
        long power = ((217_706L * exponent) >> 16) + 1024 + 63 - (zeros + (1 ^ top));
        if (power <= 0 || power >= 0x7ff - 1) {
            return Double.NaN;
        }
        if (Long.compareUnsigned(low, 1) <= 0 && (high & 0x1ff) == 0 && (bits & 3) == 1) {
            return Double.NaN;
        }
        bits += bits & 1;
        bits >>>= 1;
        if (bits >= 1L << 53) {
            bits = 1L << 52;
            power++;
        }
        return Double.longBitsToDouble((bits & ((1L << 52) - 1)) | (power << 52));
    }
}
