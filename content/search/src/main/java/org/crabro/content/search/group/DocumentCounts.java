package org.crabro.content.search.group;

import java.util.Arrays;
import org.crabro.protocol.grouping.AggregateValue;

/**
 * The number of documents in a group. Each document counts once, even if it is in the group several
 * times.
 */
final class DocumentCounts implements AggregateColumn {
    private final Counts counts = new Counts();

    /** By group, the document that was counted last. All rows of a document are consecutive. */
    private long[] last = new long[16];

    @Override
    public void reserve(int size) {
        counts.reserve(size);
        if (size > last.length) {
            last = Arrays.copyOf(last, Math.max(size, last.length * 2));
        }
    }

    void add(RowBatch batch, int[] groups) {
        for (int i = 0; i < batch.count; i++) {
            long document = batch.turn << 32 | batch.rows[i];
            int group = groups[i];
            if (last[group] != document) {
                last[group] = document;
                counts.add(group);
            }
        }
    }

    @Override
    public void add(Values values, int[] groups, int count, TextPool texts) {
        throw new IllegalStateException("documents are counted, and not values");
    }

    /** The two columns have counted different documents. */
    @Override
    public void merge(AggregateColumn from, int group, int into) {
        counts.merge(((DocumentCounts) from).counts, group, into);
    }

    @Override
    public AggregateValue value(int group) {
        return counts.value(group);
    }

    @Override
    public boolean hasOrderKeys() {
        return true;
    }

    @Override
    public long orderKey(int group) {
        return counts.orderKey(group);
    }

    @Override
    public long byteSize() {
        return counts.byteSize() + 8L * last.length;
    }
}
