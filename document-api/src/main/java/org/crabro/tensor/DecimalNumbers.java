package org.crabro.tensor;

import java.math.BigInteger;

/**
 * Computes the double nearest to a decimal number. With few digits, it uses one division or
 * multiplication of exact doubles. Otherwise it multiplies the digits by the first 128 bits of a
 * power of five, which is the method of Eisel and Lemire. If these bits do not decide, the caller
 * must use a slow and exact method.
 */
public final class DecimalNumbers {
    /** The maximum number of digits such that every number fits in 64 bits, unsigned. */
    public static final int DIGITS_MAX = 19;

    private static final int LOWEST = -342;
    private static final int HIGHEST = 308;

    /** Up to this number, doubles represent every whole number. */
    public static final long EXACT_MAX = 1L << 53;

    /** The powers of ten that are doubles. */
    private static final double[] TENS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22
    };

    /** For lower powers of ten, no 64-bit number is divisible without a remainder. */
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
                    // Rounded up, so that products of exact numbers are exact.
                    bits = bits.add(BigInteger.ONE);
                }
            }
            UPPER[power - LOWEST] = bits.shiftRight(64).longValue();
            LOWER[power - LOWEST] = bits.longValue();
        }
    }

    private DecimalNumbers() {}

    /**
     * Returns the double nearest to {@code digits} divided by a power of ten. Both are exact, so
     * there is only one rounding.
     *
     * @param digits at most {@link #EXACT_MAX}
     * @param power 0 to 22
     */
    public static double quotient(long digits, int power) {
        return digits / TENS[power];
    }

    /**
     * Returns the double nearest to {@code digits} times ten to the {@code exponent}; NaN if this
     * method does not decide it.
     *
     * @param digits unsigned
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
