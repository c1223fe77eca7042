package org.crabro.protocol.grouping;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/**
 * A sum without rounding, stored as several numbers whose magnitudes do not overlap. So the sum
 * does not depend on the order of additions, or on the distribution of the numbers.
 *
 * <p>The rounding error of each addition is stored as a further number, as described by Shewchuk
 * (Adaptive Precision Floating-Point Arithmetic, 1997).
 *
 * @param parts by rising magnitude; a single part if the sum is not finite
 */
public record ExactSum(List<Double> parts) {
    /** The sum of no numbers. */
    public static final ExactSum ZERO = new ExactSum(List.of());

    /** The maximum number of parts of a sum of doubles. */
    public static final int PARTS_MAX = 42;

    public ExactSum {
        parts = List.copyOf(parts);
        if (parts.size() > PARTS_MAX) {
            throw new IllegalArgumentException("a sum of " + parts.size() + " parts");
        }
    }

    /** Returns the exact sum of one 64-bit number. */
    public static ExactSum of(long number) {
        long low = number & 0xFFFF_FFFFL;
        return of(new double[] {low, (double) (number - low)}, 0, 2).plus(ZERO);
    }

    /** Returns the sum whose parts are in an array. */
    public static ExactSum of(double[] parts, int from, int count) {
        return new ExactSum(Arrays.stream(parts, from, from + count).boxed().toList());
    }

    /**
     * Adds a number to a sum in an array.
     *
     * @param from the index of the first part; the array has room for one more part
     * @param count the number of parts
     * @return the new number of parts
     */
    public static int add(double[] parts, int from, int count, double number) {
        if (!Double.isFinite(number) || (count == 1 && !Double.isFinite(parts[from]))) {
            parts[from] =
                    count == 1 && !Double.isFinite(parts[from]) ? parts[from] + number : number;
            return 1;
        }
        int partCount = 0;
        double sum = number;
        for (int i = 0; i < count; i++) {
            double part = parts[from + i];
            double large = Math.abs(sum) < Math.abs(part) ? part : sum;
            double small = Math.abs(sum) < Math.abs(part) ? sum : part;
            sum = large + small;
            double lost = small - (sum - large);
            if (!Double.isFinite(sum)) {
                parts[from] = sum;
                return 1;
            }
            if (lost != 0) {
                parts[from + partCount++] = lost;
            }
        }
        if (sum != 0) {
            parts[from + partCount++] = sum;
        }
        return partCount;
    }

    /** Returns the sum of both. */
    public ExactSum plus(ExactSum that) {
        var sum = new double[PARTS_MAX + 1];
        int count = 0;
        for (double part : parts) {
            count = add(sum, 0, count, part);
        }
        for (double part : that.parts) {
            count = add(sum, 0, count, part);
        }
        return of(sum, 0, count);
    }

    /** Returns the nearest double. */
    public double value() {
        return switch (parts.size()) {
            case 0 -> 0;
            case 1 -> parts.getFirst();
            // The larger part is the rounded sum of both.
            case 2 -> parts.get(1);
            default -> exact().doubleValue();
        };
    }

    /** Returns whether the sum is neither infinite nor NaN. */
    public boolean isFinite() {
        return parts.size() != 1 || Double.isFinite(parts.getFirst());
    }

    /** Returns the exact sum, which must be finite. */
    BigDecimal exact() {
        BigDecimal sum = BigDecimal.ZERO;
        for (double part : parts) {
            sum = sum.add(new BigDecimal(part));
        }
        return sum;
    }
}
