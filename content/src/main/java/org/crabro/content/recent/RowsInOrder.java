package org.crabro.content.recent;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.crabro.content.block.BlockWriter;
import org.crabro.content.block.key.RowKey;
import org.crabro.content.run.RunWriter;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * Rows of one type on their way into a run: they are put into key order by what their keys begin
 * with, without an object per row. For one thread.
 */
final class RowsInOrder {
    private static final int FIRST_CAPACITY = 1_024;

    /** So many rows are sorted by putting one after the other where it belongs. */
    private static final int PIECE = 16;

    /** So many rows are looked at before they are written: the fastest cache holds them. */
    private static final int FETCHED = 16;

    private final RecentRows rows;
    private int[] addresses = new int[FIRST_CAPACITY];
    private int[] groups = new int[FIRST_CAPACITY];
    private long[] places = new long[FIRST_CAPACITY];
    private long[] documents = new long[FIRST_CAPACITY];
    private int count;

    private final int[] lengths = new int[FETCHED];

    /** Of no use but that it is written: or nothing would need to be read. */
    @SuppressWarnings("UnusedVariable")
    private int fetched;

    RowsInOrder(RecentRows rows) {
        this.rows = rows;
    }

    /**
     * Adds a row.
     *
     * @param group the same number for rows that have the same in front of the user part of the id
     * @param place as {@link org.crabro.content.block.key.RowKeyPrefix} tells
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

    /** Returns whether the group that begins at {@code from} has so much as fills a block. */
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
     * Looks at rows that are written next. They lie anywhere, and memory answers much later than it
     * is asked: for some at once it does so in little more time than for one.
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
     * Returns the numbers of the rows, as they were added, in the order of their keys.
     *
     * <p>Rows of a group come one after another, and their keys begin alike: so groups are put in
     * order, and then the rows of each.
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
                // Chance made hashes equal.
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

    /** Returns where rows begin that are of one group and place, and behind them the count. */
    private int[] firsts() {
        var firsts = new int[count + 1];
        int found = 0;
        for (int row = 0; row < count; row++) {
            if (row == 0 || groups[row] != groups[row - 1] || places[row] != places[row - 1]) {
                firsts[found++] = row;
            }
        }
        firsts[found++] = count;
        return Arrays.copyOf(firsts, found);
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

    /** What comes first of two numbers. */
    @FunctionalInterface
    private interface Order {
        int compare(int one, int other);
    }

    /**
     * Sorts a part of {@code numbers}: short pieces one number after the other, then neighbouring
     * pieces are merged, each time twice as long.
     *
     * @param scratch as long as the part at least
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
        // What is left on the right lies where it belongs.
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
        // Chance made hashes equal.
        return key(one).compareTo(key(other));
    }

    private RowKey key(int index) {
        MemorySegment row = rows.row(addresses[index]);
        return RowKey.of(RowEncoding.id(row));
    }
}
