package org.crabro.content.search.group;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.crabro.content.search.match.RowOrder;
import org.crabro.content.search.match.TopK;
import org.crabro.protocol.grouping.GroupHits;
import org.crabro.protocol.grouping.HitsPlan;

/** The best rows of each group of a list, by the groups' numbers. For one thread. */
final class HitsNode {
    /** The approximate size in bytes of an empty {@link TopK}. */
    private static final long EMPTY_BYTES = 120;

    private static final int ROW_BYTES = 16;

    private final HitsPlan plan;
    private final Supplier<RowOrder> order;
    private final int limit;
    private final List<TopK> best = new ArrayList<>();
    private long[] counts = {};

    /** The row that was added last to each group. A row that is in a group twice is one hit. */
    private long[] last = {};

    private long hitCount;

    /**
     * @param skipped the maximum number of hits that are skipped before the first returned one
     */
    HitsNode(HitsPlan plan, Supplier<RowOrder> order, int skipped) {
        this.plan = plan;
        this.order = order;
        this.limit =
                plan.max() < 0
                        ? Integer.MAX_VALUE
                        : (int) Math.min(Integer.MAX_VALUE, (long) plan.max() + skipped);
    }

    void add(RowBatch batch, int[] groups, int groupCount) {
        reserve(groupCount);
        int slice = batch.scan.index();
        for (int i = 0; i < batch.count; i++) {
            int group = groups[i];
            long row = (long) slice << 32 | batch.rows[i];
            if (last[group] != row) {
                last[group] = row;
                counts[group]++;
                offer(group, slice, batch.rows[i], batch.scores[i]);
            }
        }
    }

    private void offer(int group, int slice, int row, double score) {
        TopK rows = best.get(group);
        hitCount -= rows.size();
        rows.offer(slice, row, score);
        hitCount += rows.size();
    }

    private void reserve(int groupCount) {
        while (best.size() < groupCount) {
            best.add(new TopK(order.get(), limit));
        }
        if (counts.length < groupCount) {
            int length = counts.length;
            counts = Arrays.copyOf(counts, Math.max(groupCount, length * 2));
            last = Arrays.copyOf(last, counts.length);
            Arrays.fill(last, length, last.length, -1);
        }
    }

    void merge(HitsNode from, int[] into, int fromCount, int groupCount) {
        reserve(groupCount);
        from.reserve(fromCount);
        for (int group = 0; group < fromCount; group++) {
            TopK rows = from.best.get(group);
            counts[into[group]] += from.counts[group];
            for (int i = 0; i < rows.size(); i++) {
                offer(into[group], rows.slice(i), rows.row(i), rows.value(i));
            }
        }
    }

    GroupHits<RowHit> list(int group) {
        reserve(group + 1);
        TopK sorted = TopK.merge(List.of(best.get(group)), order.get(), limit);
        List<RowHit> hits = new ArrayList<>();
        for (int i = 0; i < sorted.size(); i++) {
            hits.add(new RowHit(sorted.slice(i), sorted.row(i), sorted.value(i), plan.summary()));
        }
        return new GroupHits<>(hits, 0, counts[group]);
    }

    long byteSize() {
        return best.size() * EMPTY_BYTES + hitCount * ROW_BYTES + 16L * counts.length;
    }
}
