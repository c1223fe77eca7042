package org.crabro.content.storage.file;

import java.util.Arrays;
import org.crabro.content.storage.layout.BlockLayout;

/**
 * Byte ranges of one file to be read: whole pages in ascending order. Ranges that are close to each
 * other can be joined, so that they become one read of the device. For one thread; reusable.
 */
public final class Extents {
    /** Ranges are rounded to multiples of this: the page size of the system. */
    public static final int PAGE = BlockLayout.PAGE;

    /**
     * The most bytes between two ranges that are read as one: reading them is faster than another
     * read.
     */
    static final int GAP = 8 << 10;

    /** Up to this total size, the number of reads matters more than the number of bytes. */
    static final int FEW = 64 << 10;

    /** Replaces {@link #GAP} up to {@link #FEW} bytes. */
    static final int GAP_OF_FEW = 32 << 10;

    private long[] bounds = new long[16];
    private int count;

    /** Removes all ranges. */
    public void clear() {
        count = 0;
    }

    /** Adds the bytes from {@code from} to {@code to}, exclusive; offsets in the file. */
    public void add(long from, long to) {
        if (from >= to) {
            return;
        }
        if (2 * count == bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * bounds.length);
        }
        long first = from & -PAGE;
        long end = (to + PAGE - 1) & -PAGE;
        // Most ranges are added in order.
        int at = count;
        while (at > 0 && bounds[2 * at - 2] > first) {
            bounds[2 * at] = bounds[2 * at - 2];
            bounds[2 * at + 1] = bounds[2 * at - 1];
            at--;
        }
        bounds[2 * at] = first;
        bounds[2 * at + 1] = end;
        count++;
    }

    /** Returns the ranges with close ranges joined. */
    public Extents joined() {
        var all = new Extents();
        all.bounds = Arrays.copyOf(bounds, Math.max(2, 2 * count));
        all.count = count;
        all.join(GAP, Long.MAX_VALUE);
        all.join(GAP_OF_FEW, FEW);
        return all;
    }

    /** Returns these ranges without the bytes in {@code others}. */
    Extents without(Extents others) {
        var left = new Extents();
        int other = 0;
        for (int i = 0; i < count; i++) {
            long at = from(i);
            while (other < others.count && others.to(other) <= at) {
                other++;
            }
            for (int j = other; j < others.count && others.from(j) < to(i); j++) {
                left.add(at, Math.max(at, others.from(j)));
                at = Math.max(at, others.to(j));
            }
            left.add(at, Math.max(at, to(i)));
        }
        return left;
    }

    private void join(long gap, long most) {
        long size = size();
        int joined = 0;
        for (int i = 1; i < count; i++) {
            long between = bounds[2 * i] - bounds[2 * joined + 1];
            if (between <= 0 || (between <= gap && size + between <= most)) {
                bounds[2 * joined + 1] = Math.max(bounds[2 * joined + 1], bounds[2 * i + 1]);
                size += Math.max(0, between);
            } else {
                joined++;
                bounds[2 * joined] = bounds[2 * i];
                bounds[2 * joined + 1] = bounds[2 * i + 1];
            }
        }
        count = Math.min(count, joined + 1);
    }

    /** Returns the number of ranges. */
    public int count() {
        return count;
    }

    /** Returns the start of the range at {@code index} in the file. */
    public long from(int index) {
        return bounds[2 * index];
    }

    /**
     * Returns the end of the range at {@code index}; after the end of the file if its last page is
     * partial.
     */
    public long to(int index) {
        return bounds[2 * index + 1];
    }

    /** Returns the total size of the ranges in bytes. */
    public long size() {
        long size = 0;
        for (int i = 0; i < count; i++) {
            size += to(i) - from(i);
        }
        return size;
    }
}
