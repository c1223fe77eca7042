package org.crabro.content.storage.memtable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.run.RunWriter;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * Sorts the rows of one type by the prefixes of their keys and writes them into a run, without an
 * object per row. For one thread.
 */
final class RowsInOrder {
    private static final int FIRST_CAPACITY = 1_024;

    /** Pieces of at most this many rows are sorted by insertion. */
    private static final int PIECE = 16;

    /**
     * The number of rows that are prefetched before they are written: they fit into the L1 cache.
     */
    private static final int FETCHED = 16;

    private final RecentRows rows;
    private int[] addresses = new int[FIRST_CAPACITY];
    private int[] groups = new int[FIRST_CAPACITY];
    private long[] places = new long[FIRST_CAPACITY];
    private long[] documents = new long[FIRST_CAPACITY];
    private int count;

    private final int[] lengths = new int[FETCHED];

    /** Only written, so that the JIT compiler does not remove the reads. */
    @SuppressWarnings("UnusedVariable")
    private int fetched;

    RowsInOrder(RecentRows rows) {
        this.rows = rows;
    }

    /**
     * Adds a row.
     *
     * @param group the same number for all rows whose ids are equal before the user part
     * @param place see {@link org.crabro.content.storage.block.key.RowKeyPrefix}
     * @param document see {@link org.crabro.content.storage.block.key.RowKeyPrefix}
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
        int[] order = sorted();
        for (int at = 0; at < order.length; at++) {
            if (at % FETCHED == 0) {
                fetch(order, at, Math.min(order.length, at + FETCHED));
            }
            int row = order[at];
            if ((at == 0 || !isSameGroup(row, order[at - 1])) && isLargeGroup(order, at)) {
                run.beginBlock();
            }
            run.add(places[row], documents[row], rows.row(addresses[row]));
        }
    }

    private boolean isSameGroup(int one, int other) {
        return groups[one] == groups[other] && places[one] == places[other];
    }

    /** Returns whether the group that begins at {@code from} fills a block. */
    private boolean isLargeGroup(int[] order, int from) {
        long bytes = 0;
        for (int at = from; at < order.length && isSameGroup(order[at], order[from]); at++) {
            bytes += rows.row(addresses[order[at]]).byteSize();
            if (bytes >= BlockWriter.GROUP_BYTES) {
                return true;
            }
        }
        return false;
    }

    /**
     * Prefetches the next rows to be written. They are spread over memory, and several parallel
     * reads take little more time than one.
     */
    private void fetch(int[] order, int from, int to) {
        for (int i = from; i < to; i++) {
            lengths[i - from] = rows.peek(addresses[order[i]]);
        }
        int sum = 0;
        for (int i = from; i < to; i++) {
            sum += rows.peek(addresses[order[i]], lengths[i - from]);
        }
        fetched = sum;
    }

    /**
     * Returns the indexes of the rows, as they were added, in the order of their keys.
     *
     * <p>Rows of a group are consecutive, and their keys begin alike. So this sorts the groups, and
     * then the rows of each group.
     */
    int[] sorted() {
        int[] firsts = firsts();
        int[] order = numbers(firsts.length - 1);
        var scratch = new int[count];
        sort(
                order,
                0,
                order.length,
                scratch,
                (one, other) -> comparePlaces(firsts[one], firsts[other]));
        for (int i = 1; i < order.length; i++) {
            if (places[firsts[order[i - 1]]] == places[firsts[order[i]]]) {
                // Hashes of different groups are equal.
                return sortedRowByRow(scratch);
            }
        }
        var all = new int[count];
        int end = 0;
        for (int group : order) {
            int from = end;
            for (int row = firsts[group]; row < firsts[group + 1]; row++) {
                all[end++] = row;
            }
            sort(all, from, end, scratch, this::compare);
        }
        return all;
    }

    /** Returns the indexes of the first row of each group and place, followed by the count. */
    private int[] firsts() {
        var firsts = new int[count + 1];
        int runs = 0;
        for (int row = 0; row < count; row++) {
            if (row == 0 || groups[row] != groups[row - 1] || places[row] != places[row - 1]) {
                firsts[runs++] = row;
            }
        }
        firsts[runs++] = count;
        return Arrays.copyOf(firsts, runs);
    }

    private int[] sortedRowByRow(int[] scratch) {
        int[] all = numbers(count);
        sort(all, 0, count, scratch, this::compare);
        return all;
    }

    private static int[] numbers(int count) {
        var numbers = new int[count];
        Arrays.setAll(numbers, i -> i);
        return numbers;
    }

    /** Compares two numbers. */
    @FunctionalInterface
    private interface Order {
        int compare(int one, int other);
    }

    /**
     * Sorts a part of {@code numbers}: short pieces by insertion, then neighbouring pieces are
     * merged, each time twice as long.
     *
     * @param scratch at least as long as the part
     */
    private static void sort(int[] numbers, int from, int to, int[] scratch, Order order) {
        for (int first = from; first < to; first += PIECE) {
            insert(numbers, first, Math.min(to, first + PIECE), order);
        }
        for (int length = PIECE; length < to - from; length *= 2) {
            for (int first = from; first + length < to; first += 2 * length) {
                int end = Math.min(to, first + 2 * length);
                merge(numbers, first, first + length, end, scratch, order);
            }
        }
    }

    private static void insert(int[] numbers, int from, int to, Order order) {
        for (int i = from + 1; i < to; i++) {
            int number = numbers[i];
            int at = i;
            while (at > from && order.compare(numbers[at - 1], number) > 0) {
                numbers[at] = numbers[at - 1];
                at--;
            }
            numbers[at] = number;
        }
    }

    private static void merge(
            int[] numbers, int first, int middle, int end, int[] scratch, Order order) {
        int count = middle - first;
        System.arraycopy(numbers, first, scratch, 0, count);
        int left = 0;
        int right = middle;
        int to = first;
        // The rest on the right is already in place.
        while (left < count) {
            boolean isLeft = right == end || order.compare(scratch[left], numbers[right]) <= 0;
            numbers[to++] = isLeft ? scratch[left++] : numbers[right++];
        }
    }

    private int comparePlaces(int one, int other) {
        return Long.compareUnsigned(places[one], places[other]);
    }

    private int compare(int one, int other) {
        int byPlace = comparePlaces(one, other);
        if (byPlace != 0) {
            return byPlace;
        }
        if (groups[one] == groups[other]) {
            int byDocument = Long.compareUnsigned(documents[one], documents[other]);
            if (byDocument != 0) {
                return byDocument;
            }
        }
        // Hashes of different keys are equal.
        return key(one).compareTo(key(other));
    }

    private RowKey key(int index) {
        MemorySegment row = rows.row(addresses[index]);
        return RowKey.of(RowEncoding.id(row));
    }
}
