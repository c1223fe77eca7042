package org.crabro.content.search.group;

import java.util.Arrays;
import java.util.Optional;
import org.crabro.protocol.grouping.AggregateValue;
import org.crabro.protocol.grouping.Aggregator;
import org.crabro.protocol.grouping.ExactSum;
import org.crabro.protocol.grouping.GroupMath;
import org.crabro.protocol.grouping.GroupValue;

/**
 * Sums, averages, extrema and standard deviations of floating-point numbers. NaN is smaller than
 * every number, as in {@link GroupMath#compare}.
 */
final class RealColumn implements AggregateColumn {
    private static final int FIRST_CAPACITY = 16;

    private final Aggregator aggregator;
    private final double start;

    /** The extreme of no numbers. */
    private final double empty;

    private long[] counts = new long[FIRST_CAPACITY];
    private double[] extremes = new double[FIRST_CAPACITY];
    private final ExactSums sums = new ExactSums();
    private final ExactSums squares = new ExactSums();

    RealColumn(Aggregator aggregator) {
        this.aggregator = aggregator;
        this.start = aggregator == Aggregator.MIN ? Double.POSITIVE_INFINITY : Double.NaN;
        this.empty =
                aggregator == Aggregator.MIN ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        Arrays.fill(extremes, start);
    }

    private boolean isExtreme() {
        return aggregator == Aggregator.MIN || aggregator == Aggregator.MAX;
    }

    @Override
    public void reserve(int size) {
        if (size > counts.length) {
            int length = counts.length;
            int capacity = Math.max(size, length * 2);
            counts = Arrays.copyOf(counts, capacity);
            if (isExtreme()) {
                extremes = Arrays.copyOf(extremes, capacity);
                Arrays.fill(extremes, length, capacity, start);
            }
        }
        if (!isExtreme()) {
            sums.reserve(counts.length);
        }
        if (aggregator == Aggregator.STDDEV) {
            squares.reserve(counts.length);
        }
    }

    @Override
    public void add(Values values, int[] groups, int count, TextPool texts) {
        for (int row = 0; row < count; row++) {
            int group = groups[row];
            int end = values.end(row);
            for (int i = values.start(row); i < end; i++) {
                counts[group]++;
                switch (values.kind) {
                    case REAL -> add(group, values.doubles[i]);
                    case WHOLE, TRUTH -> addWhole(group, values.longs[i]);
                    // A string counts as 0.
                    case TEXT, RAW -> add(group, 0);
                }
            }
        }
    }

    private void add(int group, double value) {
        switch (aggregator) {
            case MIN -> extremes[group] = Math.min(extremes[group], value);
            case MAX -> extremes[group] = GroupMath.greater(extremes[group], value);
            case COUNT, COUNTDOCS, SUM, AVG, XOR -> sums.add(group, value);
            case STDDEV -> {
                sums.add(group, value);
                addProduct(group, value, value);
            }
        }
    }

    /* A 64-bit number may exceed the precision of a double; its two halves do not. */
    private void addWhole(int group, long value) {
        double high = (value >> 32) * 0x1p32;
        double low = value & 0xFFFF_FFFFL;
        if (aggregator == Aggregator.STDDEV && Math.abs(value) > 1L << 53) {
            sums.add(group, high);
            sums.add(group, low);
            addProduct(group, high, high);
            addProduct(group, 2 * high, low);
            addProduct(group, low, low);
        } else {
            add(group, (double) value);
        }
    }

    /** Adds a product without rounding, by also adding the rounding error of the multiplication. */
    private void addProduct(int group, double a, double b) {
        double product = a * b;
        squares.add(group, product);
        if (Double.isFinite(product)) {
            squares.add(group, Math.fma(a, b, -product));
        }
    }

    @Override
    public void merge(AggregateColumn from, int group, int into) {
        var that = (RealColumn) from;
        counts[into] += that.counts[group];
        switch (aggregator) {
            case MIN -> extremes[into] = Math.min(extremes[into], that.extremes[group]);
            case MAX -> extremes[into] = GroupMath.greater(extremes[into], that.extremes[group]);
            case COUNT, COUNTDOCS, SUM, AVG, XOR -> sums.merge(that.sums, group, into);
            case STDDEV -> {
                sums.merge(that.sums, group, into);
                squares.merge(that.squares, group, into);
            }
        }
    }

    @Override
    public AggregateValue value(int group) {
        return switch (aggregator) {
            case SUM -> new AggregateValue.RealSum(sums.sum(group));
            case AVG -> new AggregateValue.RealAverage(sums.sum(group), counts[group]);
            case STDDEV ->
                    new AggregateValue.Deviation(
                            counts[group], sums.sum(group), squares.sum(group));
            case MIN -> new AggregateValue.Least(extreme(group), new GroupValue.Real(empty));
            case MAX -> new AggregateValue.Greatest(extreme(group), new GroupValue.Real(empty));
            case COUNT, COUNTDOCS, XOR -> throw new IllegalStateException(aggregator.text());
        };
    }

    private Optional<GroupValue> extreme(int group) {
        return counts[group] == 0
                ? Optional.empty()
                : Optional.of(new GroupValue.Real(extremes[group]));
    }

    private double shownExtreme(int group) {
        return counts[group] == 0 ? empty : extremes[group];
    }

    @Override
    public boolean hasOrderKeys() {
        return isExtreme() || aggregator == Aggregator.SUM;
    }

    @Override
    public long orderKey(int group) {
        double value = isExtreme() ? shownExtreme(group) : sums.sum(group).value();
        if (Double.isNaN(value)) {
            return Long.MIN_VALUE;
        }
        long bits = Double.doubleToLongBits(value + 0.0);
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }

    @Override
    public long byteSize() {
        return 8L * counts.length + 8L * extremes.length + sums.byteSize() + squares.byteSize();
    }

    /** A sum without rounding for each group, stored as {@link ExactSum} in an array. */
    private static final class ExactSums {
        /** The capacity for the parts of each sum, including a spare one. */
        private int width = 3;

        private double[] parts = new double[width * FIRST_CAPACITY];
        private int[] sizes = new int[FIRST_CAPACITY];

        void reserve(int size) {
            if (size > sizes.length) {
                sizes = Arrays.copyOf(sizes, size);
                parts = Arrays.copyOf(parts, Math.multiplyExact(size, width));
            }
        }

        void add(int group, double value) {
            int at = group * width;
            if (sizes[group] == 0) {
                parts[at] = value;
                sizes[group] = value == 0 ? 0 : 1;
                return;
            }
            sizes[group] = ExactSum.add(parts, at, sizes[group], value);
            if (sizes[group] == width) {
                widen();
            }
        }

        private void widen() {
            int wider = Math.min(width * 2, ExactSum.PARTS_MAX + 1);
            var moved = new double[Math.multiplyExact(sizes.length, wider)];
            for (int group = 0; group < sizes.length; group++) {
                System.arraycopy(parts, group * width, moved, group * wider, sizes[group]);
            }
            parts = moved;
            width = wider;
        }

        void merge(ExactSums from, int group, int into) {
            for (int i = 0; i < from.sizes[group]; i++) {
                add(into, from.parts[group * from.width + i]);
            }
        }

        ExactSum sum(int group) {
            return ExactSum.of(parts, group * width, sizes[group]);
        }

        long byteSize() {
            return 8L * parts.length + 4L * sizes.length;
        }
    }
}
