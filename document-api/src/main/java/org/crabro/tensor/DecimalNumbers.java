package org.crabro.tensor;

import java.math.BigInteger;

/**
 * The double nearest to a decimal number: with few digits by one division or multiplication of what
 * is exact, else by multiplying its digits with the begin of a power of five, 128 bits long, which
 * is the method of Eisel and Lemire. Where these bits do not decide, the slow and exact way has to.
 */
public final class DecimalNumbers {
    /** All numbers of as many digits fit 64 bits, without a sign. */
    public static final int DIGITS_MAX = 19;

    private static final int LOWEST = -342;
    private static final int HIGHEST = 308;

    /** Up to here each whole number is a double. */
    public static final long EXACT_MAX = 1L << 53;

    /** The powers of ten that are doubles. */
    private static final double[] TENS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22
    };

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
     * Returns the double nearest to {@code digits} over a power of ten: both are exact, so one
     * rounding is all there is.
     *
     * @param digits at most {@link #EXACT_MAX}
     * @param power 0 to 22
     */
    public static double quotient(long digits, int power) {
        return digits / TENS[power];
    }

    /**
     * Returns the double nearest to {@code digits} times ten to the {@code exponent}, or NaN where
     * that is not decided here.
     *
     * @param digits without a sign
     */
    public static double nearest(long digits, int exponent) {
        if (digits >= 0
                && digits <= EXACT_MAX
                && exponent < TENS.length
                && -exponent < TENS.length) {
            return exponent < 0 ? quotient(digits, -exponent) : digits * TENS[exponent];
        }
        if (digits == 0) {
            return 0;
        }
        return exponent < LOWEST || exponent > HIGHEST
                ? Double.NaN
                : nearestByBits(digits, exponent);
    }

    private static double nearestByBits(long digits, int exponent) {
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
