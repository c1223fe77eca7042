package org.crabro.content.search.group;

import java.util.Arrays;
import org.crabro.protocol.grouping.AggregateValue;

/** The number of values. */
final class Counts implements AggregateColumn {
    private long[] counts = new long[16];

    @Override
    public void reserve(int size) {
        if (size > counts.length) {
            counts = Arrays.copyOf(counts, Math.max(size, counts.length * 2));
        }
    }

    @Override
    public void add(Values values, int[] groups, int count, TextPool texts) {
        add(groups, count);
    }

    void add(int group) {
        counts[group]++;
    }

    void add(int[] groups, int count) {
        long[] into = counts;
        for (int i = 0; i < count; i++) {
            into[groups[i]]++;
        }
    }

    @Override
    public void merge(AggregateColumn from, int group, int into) {
        counts[into] += ((Counts) from).counts[group];
    }

    @Override
    public AggregateValue value(int group) {
        return new AggregateValue.Count(counts[group]);
    }

    @Override
    public boolean hasOrderKeys() {
        return true;
    }

    @Override
    public long orderKey(int group) {
        return counts[group];
    }

    @Override
    public long byteSize() {
        return 8L * counts.length;
    }
}
