package org.crabro.protocol.grouping;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The distribution of numbers. Up to {@value #EXACT_MAX} numbers are stored; of more numbers, only
 * the counts in fixed ranges are. The width of a range is at most 1/256 of its numbers. So the
 * result does not depend on the order or the distribution of the numbers.
 *
 * <p>The numbers of a range have the same sign, exponent and first 8 bits of the fraction. For one
 * thread.
 */
public final class QuantileSketch {
    /** The maximum number of stored numbers. */
    public static final int EXACT_MAX = 4_096;

    private static final int DROPPED_BITS = 44;
    private static final double[] NOTHING = {};

    private double[] numbers = NOTHING;
    private int size;
    private final TreeMap<Long, Long> counts = new TreeMap<>();
    private long count;
    private double least = Double.POSITIVE_INFINITY;
    private double most = Double.NEGATIVE_INFINITY;

    /** Adds a number; NaN is ignored. */
    public void add(double number) {
        if (Double.isNaN(number)) {
            return;
        }
        double added = number + 0.0;
        count++;
        least = Math.min(least, added);
        most = Math.max(most, added);
        if (count > EXACT_MAX) {
            countNumbers();
            counts.merge(range(added), 1L, Long::sum);
            return;
        }
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(8, size * 2));
        }
        numbers[size++] = added;
    }

    /** Adds all numbers of another sketch. */
    public void add(QuantileSketch that) {
        if (that.counts.isEmpty()) {
            for (int i = 0; i < that.size; i++) {
                add(that.numbers[i]);
            }
            return;
        }
        countNumbers();
        that.counts.forEach((range, more) -> counts.merge(range, more, Long::sum));
        count += that.count;
        least = Math.min(least, that.least);
        most = Math.max(most, that.most);
    }

    private void countNumbers() {
        for (int i = 0; i < size; i++) {
            counts.merge(range(numbers[i]), 1L, Long::sum);
        }
        numbers = NOTHING;
        size = 0;
    }

    /** Returns a sketch of some numbers. */
    public static QuantileSketch of(double[] numbers) {
        var sketch = new QuantileSketch();
        for (double number : numbers) {
            sketch.add(number);
        }
        return sketch;
    }

    /**
     * Returns a sketch of more than {@link #EXACT_MAX} numbers.
     *
     * @param counts by range, from {@link #counts()}
     */
    public static QuantileSketch of(Map<Long, Long> counts, double least, double most) {
        var sketch = new QuantileSketch();
        sketch.counts.putAll(counts);
        sketch.count = counts.values().stream().mapToLong(Long::longValue).sum();
        sketch.least = least;
        sketch.most = most;
        return sketch;
    }

    /** Returns the stored numbers in rising order; empty if only counts are stored. */
    public double[] numbers() {
        double[] sorted = Arrays.copyOf(numbers, size);
        Arrays.sort(sorted);
        return sorted;
    }

    /** Returns the counts by range; empty if the numbers themselves are stored. */
    public Map<Long, Long> counts() {
        return new TreeMap<>(counts);
    }

    public double least() {
        return least;
    }

    public double most() {
        return most;
    }

    /** Returns the approximate size in bytes. */
    public long byteSize() {
        return 120 + 8L * numbers.length + 64L * counts.size();
    }

    /**
     * Returns the smallest number such that at least a share {@code level} of all numbers do not
     * exceed it; 0 for an empty sketch.
     */
    public double quantile(double level) {
        if (count == 0) {
            return 0;
        }
        long rank = Math.max(1, (long) Math.ceil(level * count));
        if (counts.isEmpty()) {
            return numbers()[(int) rank - 1];
        }
        long passed = 0;
        for (Map.Entry<Long, Long> entry : counts.entrySet()) {
            passed += entry.getValue();
            if (passed >= rank) {
                return Math.clamp(middle(entry.getKey()), least, most);
            }
        }
        return most;
    }

    /**
     * Returns the range of a number: its bits in sort order, without the last {@value
     * #DROPPED_BITS}.
     */
    private static long range(double number) {
        long bits = Double.doubleToLongBits(number);
        return (bits ^ ((bits >> 63) & Long.MAX_VALUE)) >> DROPPED_BITS;
    }

    private static double middle(long range) {
        return (number(range << DROPPED_BITS)
                        + number((range << DROPPED_BITS) | ((1L << DROPPED_BITS) - 1)))
                / 2;
    }

    private static double number(long ordered) {
        return Double.longBitsToDouble(ordered ^ ((ordered >> 63) & Long.MAX_VALUE));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QuantileSketch that
                && Arrays.equals(numbers(), that.numbers())
                && counts.equals(that.counts)
                && Double.compare(least, that.least) == 0
                && Double.compare(most, that.most) == 0;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(numbers()) * 31 + counts.hashCode();
    }

    @Override
    public String toString() {
        return count + " numbers from " + least + " to " + most;
    }
}
