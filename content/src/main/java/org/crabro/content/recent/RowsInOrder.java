package org.crabro.content.recent;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.crabro.content.run.RunWriter;
import org.crabro.content.run.SortKey;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * Rows of one type on their way into a run: they are put into key order by what their keys begin
 * with, without an object per row. For one thread.
 */
final class RowsInOrder {
    private static final int FIRST_CAPACITY = 1_024;

    private final RecentRows rows;
    private int[] addresses = new int[FIRST_CAPACITY];
    private int[] groups = new int[FIRST_CAPACITY];
    private long[] places = new long[FIRST_CAPACITY];
    private long[] documents = new long[FIRST_CAPACITY];
    private int count;

    RowsInOrder(RecentRows rows) {
        this.rows = rows;
    }

    /**
     * Adds a row.
     *
     * @param group the same number for rows that have the same in front of the user part of the id
     * @param place as {@link org.crabro.content.run.RowPlace} tells
     * @param document likewise
     */
    void add(int address, int group, long place, long document) {
        if (count == addresses.length) {
            addresses = Arrays.copyOf(addresses, 2 * count);
            groups = Arrays.copyOf(groups, 2 * count);
            places = Arrays.copyOf(places, 2 * count);
            documents = Arrays.copyOf(documents, 2 * count);
        }
        addresses[count] = address;
        groups[count] = group;
        places[count] = place;
        documents[count] = document;
        count++;
    }

    /** Writes all rows in the order of their keys. */
    void writeTo(RunWriter run) throws IOException {
        for (int i : sorted()) {
            run.add(places[i], documents[i], rows.row(addresses[i]));
        }
    }

    /** Merges neighbouring parts, each time twice as long. */
    private int[] sorted() {
        var from = new int[count];
        Arrays.setAll(from, i -> i);
        var to = new int[count];
        for (int length = 1; length < count; length *= 2) {
            for (int first = 0; first < count; first += 2 * length) {
                int middle = Math.min(count, first + length);
                merge(from, first, middle, Math.min(count, middle + length), to);
            }
            int[] merged = to;
            to = from;
            from = merged;
        }
        return from;
    }

    private void merge(int[] from, int first, int middle, int end, int[] to) {
        int left = first;
        int right = middle;
        for (int i = first; i < end; i++) {
            boolean isLeft =
                    right == end || (left < middle && compare(from[left], from[right]) <= 0);
            to[i] = from[isLeft ? left++ : right++];
        }
    }

    private int compare(int one, int other) {
        int byPlace = Long.compareUnsigned(places[one], places[other]);
        if (byPlace != 0) {
            return byPlace;
        }
        if (groups[one] == groups[other]) {
            int byDocument = Long.compareUnsigned(documents[one], documents[other]);
            if (byDocument != 0) {
                return byDocument;
            }
        }
        // Chance made hashes equal.
        return key(one).compareTo(key(other));
    }

    private SortKey key(int index) {
        MemorySegment row = rows.row(addresses[index]);
        return SortKey.of(RowEncoding.id(row));
    }
}
