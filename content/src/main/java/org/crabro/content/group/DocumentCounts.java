package org.crabro.content.group;

import java.util.Arrays;
import org.crabro.protocol.grouping.AggregateValue;

/** How many documents there are, each once, however often it is in a group. */
final class DocumentCounts implements AggregateColumn {
    private long[] counts = new long[16];

    /** By group, the document that was counted last: all of a document's rows come in a row. */
    private long[] last = new long[16];

    @Override
    public void reserve(int size) {
        if (size > counts.length) {
            counts = Arrays.copyOf(counts, Math.max(size, counts.length * 2));
            last = Arrays.copyOf(last, counts.length);
        }
    }

    void add(RowBatch batch, int[] groups) {
        for (int i = 0; i < batch.count; i++) {
            long document = batch.turn << 32 | batch.rows[i];
            int group = groups[i];
            if (last[group] != document) {
                last[group] = document;
                counts[group]++;
            }
        }
    }

    @Override
    public void add(Values values, int[] groups, int count, TextPool texts) {
        throw new IllegalStateException("documents are counted, and not values");
    }

    /** The documents of both are different ones. */
    @Override
    public void merge(AggregateColumn from, int group, int into) {
        counts[into] += ((DocumentCounts) from).counts[group];
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
        return 16L * counts.length;
    }
}
