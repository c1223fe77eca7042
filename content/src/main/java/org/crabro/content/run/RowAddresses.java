package org.crabro.content.run;

import java.util.Arrays;

/** Addresses of rows, as {@link RunLayout} makes them, that become more. */
final class RowAddresses {
    private static final int FIRST_CAPACITY = 16;

    private long[] addresses = new long[FIRST_CAPACITY];
    private int count;

    void add(long address) {
        if (count == addresses.length) {
            addresses = Arrays.copyOf(addresses, 2 * count);
        }
        addresses[count++] = address;
    }

    void clear() {
        count = 0;
    }

    /** Returns the address that was added last. */
    long last() {
        return addresses[count - 1];
    }

    int count() {
        return count;
    }

    /** Returns the addresses in the order in which they were added. */
    long[] toArray() {
        return Arrays.copyOf(addresses, count);
    }

    /** Returns the addresses in rising order, each once. */
    long[] toSortedArray() {
        long[] sorted = toArray();
        Arrays.sort(sorted);
        int kept = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[kept++] = sorted[i];
            }
        }
        return kept == sorted.length ? sorted : Arrays.copyOf(sorted, kept);
    }
}
