package org.crabro.content.search.match;

import java.util.Arrays;
import java.util.List;

/**
 * The best rows seen so far, up to a limit: a heap with the worst row on top. For one thread. The
 * final content does not depend on the order in which rows are offered.
 */
public final class TopK {
    private final RowOrder order;

    /** {@link RowOrder#sign()}. Most comparisons are decided by the values. */
    private final double sign;

    private final int limit;
    private int[] slices;
    private int[] rows;
    private double[] values;
    private int size;

    /**
     * @param limit the maximum number of rows, at least 1
     */
    public TopK(RowOrder order, int limit) {
        this.order = order;
        this.sign = order.sign();
        this.limit = limit;
        // Most queries find fewer rows than the limit.
        int capacity = Math.min(limit, 64);
        this.slices = new int[capacity];
        this.rows = new int[capacity];
        this.values = new double[capacity];
    }

    /** Adds a row if it is among the best. */
    public void offer(int slice, int row, double value) {
        if (size == limit) {
            if (compare(slice, row, value, 0) < 0) {
                sink(0, slice, row, value);
            }
            return;
        }
        if (size == rows.length) {
            int capacity = (int) Math.min(limit, size * 2L);
            slices = Arrays.copyOf(slices, capacity);
            rows = Arrays.copyOf(rows, capacity);
            values = Arrays.copyOf(values, capacity);
        }
        rise(size++, slice, row, value);
    }

    /**
     * Returns the value that a row must not exceed to be added, if smaller values are better. It
     * falls as rows are added.
     */
    public double valueToBeat() {
        return size == limit ? values[0] : Double.POSITIVE_INFINITY;
    }

    public int size() {
        return size;
    }

    public int slice(int index) {
        return slices[index];
    }

    public int row(int index) {
        return rows[index];
    }

    public double value(int index) {
        return values[index];
    }

    /**
     * Merges {@code parts} into one, sorted, the best row at index 0. No more rows can be offered
     * to the result.
     */
    public static TopK merge(List<TopK> parts, RowOrder order, int limit) {
        int total = 0;
        for (TopK part : parts) {
            total += part.size;
        }
        int count = Math.min(total, limit);
        var heap = new TopK(order, Math.max(1, count));
        for (TopK part : parts) {
            for (int i = 0; i < part.size && count > 0; i++) {
                heap.offer(part.slices[i], part.rows[i], part.values[i]);
            }
        }
        var merged = new TopK(order, Math.max(1, count));
        merged.slices = new int[count];
        merged.rows = new int[count];
        merged.values = new double[count];
        merged.size = count;
        for (int i = count - 1; i >= 0; i--) {
            merged.set(i, heap.slices[0], heap.rows[0], heap.values[0]);
            heap.size = i;
            heap.sink(0, heap.slices[i], heap.rows[i], heap.values[i]);
        }
        return merged;
    }

    private void rise(int start, int slice, int row, double value) {
        int at = start;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (compare(slice, row, value, parent) <= 0) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        set(at, slice, row, value);
    }

    private void sink(int start, int slice, int row, double value) {
        int at = start;
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            int next = child + 1;
            if (next < size && compare(slices[next], rows[next], values[next], child) > 0) {
                child = next;
            }
            if (compare(slice, row, value, child) >= 0) {
                break;
            }
            move(child, at);
            at = child;
        }
        set(at, slice, row, value);
    }

    private int compare(int slice, int row, double value, int other) {
        if (sign != 0 && value != values[other]) {
            return sign * value < sign * values[other] ? -1 : 1;
        }
        return order.compare(slice, row, value, slices[other], rows[other], values[other]);
    }

    private void move(int from, int to) {
        slices[to] = slices[from];
        rows[to] = rows[from];
        values[to] = values[from];
    }

    private void set(int at, int slice, int row, double value) {
        slices[at] = slice;
        rows[at] = row;
        values[at] = value;
    }
}
