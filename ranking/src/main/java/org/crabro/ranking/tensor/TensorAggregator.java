package org.crabro.ranking.tensor;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntConsumer;

/** Functions that combine several cells to one. */
public enum TensorAggregator {
    AVG,
    COUNT,
    MAX,
    MEDIAN,
    MIN,
    PROD,
    SUM;

    /** More cells are not sorted for their median, since a sort reports no work. */
    private static final int SORTED_MAX = 1 << 15;

    /** Bits of a cell that a median is selected by at a time. */
    private static final int DIGIT = 16;

    /** Returns the aggregator written as {@code name}. */
    public static Optional<TensorAggregator> named(String name) {
        return Arrays.stream(values()).filter(each -> each.toString().equals(name)).findFirst();
    }

    /**
     * Returns the combined value of some cells.
     *
     * @param cells at least one, from index 0 on; may be reordered
     * @param work receives the units of {@link TensorWork}
     */
    double of(double[] cells, int count, IntConsumer work) {
        return switch (this) {
            case AVG -> SUM.of(cells, count, work) / count;
            case COUNT -> count;
            case MAX -> {
                double max = cells[0];
                for (int i = 1; i < count; i++) {
                    max = max < cells[i] ? cells[i] : max;
                }
                yield max;
            }
            case MEDIAN ->
                    count <= SORTED_MAX ? median(cells, count) : selected(cells, count, work);
            case MIN -> {
                double min = cells[0];
                for (int i = 1; i < count; i++) {
                    min = cells[i] < min ? cells[i] : min;
                }
                yield min;
            }
            case PROD -> {
                double product = 1;
                for (int i = 0; i < count; i++) {
                    product *= cells[i];
                }
                yield product;
            }
            case SUM -> {
                double sum = 0;
                for (int i = 0; i < count; i++) {
                    sum += cells[i];
                }
                yield sum;
            }
        };
    }

    private static double median(double[] cells, int count) {
        Arrays.sort(cells, 0, count);
        if (Double.isNaN(cells[count - 1])) {
            return Double.NaN;
        }
        int middle = count / 2;
        return count % 2 == 1 ? cells[middle] : (cells[middle - 1] + cells[middle]) / 2;
    }

    /** Returns the median as {@link #median} does, and reports its work. */
    private static double selected(double[] cells, int count, IntConsumer work) {
        if (Double.isNaN(selected(cells, count, count - 1, work))) {
            return Double.NaN;
        }
        double middle = selected(cells, count, count / 2, work);
        return count % 2 == 1 ? middle : (selected(cells, count, count / 2 - 1, work) + middle) / 2;
    }

    /** Returns the cell that is at {@code rank} when all are sorted, found digit by digit. */
    private static double selected(double[] cells, int count, int rank, IntConsumer work) {
        long selectedValue = 0;
        int left = rank;
        for (int shift = Long.SIZE - DIGIT; shift >= 0; shift -= DIGIT) {
            int[] digits = new int[1 << DIGIT];
            int i = 0;
            while (i < count) {
                int end = TensorWork.slice(work, i, count);
                for (; i < end; i++) {
                    long key = key(cells[i]);
                    // A shift by all 64 bits would be one by none.
                    if (key >>> shift >>> DIGIT == selectedValue >>> shift >>> DIGIT) {
                        digits[(int) (key >>> shift) & (1 << DIGIT) - 1]++;
                    }
                }
            }
            int digit = 0;
            while (left >= digits[digit]) {
                left -= digits[digit++];
            }
            selectedValue |= (long) digit << shift;
        }
        return Double.longBitsToDouble(
                selectedValue < 0 ? selectedValue ^ Long.MIN_VALUE : ~selectedValue);
    }

    /** Returns an unsigned number with the order of cells; NaN comes last. */
    private static long key(double cell) {
        long bits = Double.doubleToLongBits(cell);
        return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
