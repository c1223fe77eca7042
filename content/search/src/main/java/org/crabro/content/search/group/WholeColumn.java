package org.crabro.content.search.group;

import java.util.Arrays;
import java.util.Optional;
import org.crabro.protocol.grouping.AggregateValue;
import org.crabro.protocol.grouping.Aggregator;
import org.crabro.protocol.grouping.GroupMath;
import org.crabro.protocol.grouping.GroupValue;

/** Sums, averages, extrema and bit operations of whole numbers. */
final class WholeColumn implements AggregateColumn {
    private static final int FIRST_CAPACITY = 16;

    private final Aggregator aggregator;
    private final long start;
    private long[] totals = new long[FIRST_CAPACITY];
    private long[] counts = new long[FIRST_CAPACITY];

    WholeColumn(Aggregator aggregator) {
        this.aggregator = aggregator;
        this.start =
                switch (aggregator) {
                    case MIN -> Long.MAX_VALUE;
                    case MAX -> Long.MIN_VALUE;
                    case SUM, AVG, XOR -> 0;
                    case COUNT, COUNTDOCS, STDDEV ->
                            throw new IllegalArgumentException(aggregator.text());
                };
        Arrays.fill(totals, start);
    }

    @Override
    public void reserve(int size) {
        if (size > totals.length) {
            int length = totals.length;
            int capacity = Math.max(size, length * 2);
            totals = Arrays.copyOf(totals, capacity);
            counts = Arrays.copyOf(counts, capacity);
            Arrays.fill(totals, length, capacity, start);
        }
    }

    @Override
    public void add(Values values, int[] groups, int count, TextPool texts) {
        if (!values.many && (values.kind == ValueKind.WHOLE || values.kind == ValueKind.TRUTH)) {
            addOne(values.longs, groups, count);
            return;
        }
        for (int row = 0; row < count; row++) {
            int group = groups[row];
            int end = values.end(row);
            for (int i = values.start(row); i < end; i++) {
                long value =
                        switch (values.kind) {
                            case WHOLE, TRUTH -> values.longs[i];
                            case REAL -> GroupMath.whole(values.doubles[i]);
                            case TEXT, RAW -> 0;
                        };
                totals[group] = together(totals[group], value);
                counts[group]++;
            }
        }
    }

    /* The switch over the aggregator is outside of the loops. Extrema rarely change. */
    private void addOne(long[] values, int[] groups, int count) {
        long[] into = totals;
        long[] seen = counts;
        switch (aggregator) {
            case MIN -> {
                for (int i = 0; i < count; i++) {
                    int group = groups[i];
                    if (values[i] <= into[group]) {
                        into[group] = values[i];
                        seen[group] = 1;
                    }
                }
            }
            case MAX -> {
                for (int i = 0; i < count; i++) {
                    int group = groups[i];
                    if (values[i] >= into[group]) {
                        into[group] = values[i];
                        seen[group] = 1;
                    }
                }
            }
            case XOR -> {
                for (int i = 0; i < count; i++) {
                    into[groups[i]] ^= values[i];
                }
            }
            case COUNT, COUNTDOCS, SUM, AVG, STDDEV -> {
                for (int i = 0; i < count; i++) {
                    into[groups[i]] += values[i];
                    seen[groups[i]]++;
                }
            }
        }
    }

    private long together(long a, long b) {
        return switch (aggregator) {
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case XOR -> a ^ b;
            case COUNT, COUNTDOCS, SUM, AVG, STDDEV -> a + b;
        };
    }

    @Override
    public void merge(AggregateColumn from, int group, int into) {
        var that = (WholeColumn) from;
        totals[into] = together(totals[into], that.totals[group]);
        counts[into] += that.counts[group];
    }

    @Override
    public AggregateValue value(int group) {
        long total = totals[group];
        return switch (aggregator) {
            case SUM -> new AggregateValue.WholeSum(total);
            case AVG -> new AggregateValue.WholeAverage(total, counts[group]);
            case XOR -> new AggregateValue.Bits(total);
            case MIN -> new AggregateValue.Least(extreme(group), new GroupValue.Whole(start));
            case MAX -> new AggregateValue.Greatest(extreme(group), new GroupValue.Whole(start));
            case COUNT, COUNTDOCS, STDDEV -> throw new IllegalStateException(aggregator.text());
        };
    }

    private Optional<GroupValue> extreme(int group) {
        return counts[group] == 0
                ? Optional.empty()
                : Optional.of(new GroupValue.Whole(totals[group]));
    }

    @Override
    public boolean hasOrderKeys() {
        return aggregator != Aggregator.AVG;
    }

    @Override
    public long orderKey(int group) {
        return totals[group];
    }

    @Override
    public long byteSize() {
        return 8L * totals.length + 8L * counts.length;
    }
}
