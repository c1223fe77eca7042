package org.crabro.content.storage.block.token;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Sorts texts in one array by their bytes, unsigned, with few comparisons. It sorts the first eight
 * bytes as numbers with a radix sort, and compares only texts whose first eight bytes are equal.
 * Its memory is reused. For one thread.
 */
final class TokenOrder {
    private static final VarHandle BIG_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int DIGITS = Long.BYTES;
    private static final int VALUES = 256;

    /** Fewer texts than this are sorted by comparisons: a radix sort would first count digits. */
    private static final int FEW = 128;

    private final int[] counts = new int[DIGITS * VALUES];
    private int[] order = {};
    private int[] otherOrder = {};
    private long[] keys = {};
    private long[] otherKeys = {};

    // The texts that are being sorted.
    private byte[] bytes = {};
    private int[] places = {};
    private int stride;

    /**
     * Sorts {@code count} distinct texts without zero bytes.
     *
     * @param texts the bytes of all texts, and eight bytes more
     * @param where offset and length of text i at {@code i * stride} and the next index
     * @return the indexes of the texts in order, in an array that may be longer; owned by the
     *     sorter, and valid until the next sort
     */
    int[] sort(byte[] texts, int[] where, int stride, int count) {
        this.bytes = texts;
        this.places = where;
        this.stride = stride;
        if (order.length < count) {
            int capacity = Math.max(1_024, Integer.highestOneBit(count) * 2);
            order = new int[capacity];
            otherOrder = new int[capacity];
            keys = new long[capacity];
            otherKeys = new long[capacity];
        }
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        if (count < FEW) {
            mergeSort(0, count, 0);
        } else {
            sortByDigits(count);
            sortEqual(count);
        }
        return order;
    }

    private int start(int text) {
        return places[text * stride];
    }

    private int length(int text) {
        return places[text * stride + 1];
    }

    /** Returns the first bytes of a text, padded with zeros. */
    private long key(int text) {
        long key = (long) BIG_ENDIAN.get(bytes, start(text));
        int length = length(text);
        return length >= Long.BYTES ? key : key & (-1L << (8 * (Long.BYTES - length)));
    }

    private void sortByDigits(int count) {
        Arrays.fill(counts, 0);
        for (int i = 0; i < count; i++) {
            long key = key(i);
            keys[i] = key;
            for (int digit = 0; digit < DIGITS; digit++) {
                counts[digit * VALUES + (int) (key >>> (8 * digit) & 0xff)]++;
            }
        }
        for (int digit = 0; digit < DIGITS; digit++) {
            sortByDigit(digit, count);
        }
    }

    private void sortByDigit(int digit, int count) {
        int base = digit * VALUES;
        int shift = 8 * digit;
        if (counts[base + (int) (keys[0] >>> shift & 0xff)] == count) {
            return;
        }
        int before = 0;
        for (int value = 0; value < VALUES; value++) {
            int ofValue = counts[base + value];
            counts[base + value] = before;
            before += ofValue;
        }
        for (int i = 0; i < count; i++) {
            long key = keys[i];
            int to = counts[base + (int) (key >>> shift & 0xff)]++;
            otherKeys[to] = key;
            otherOrder[to] = order[i];
        }
        long[] sortedKeys = otherKeys;
        otherKeys = keys;
        keys = sortedKeys;
        int[] sorted = otherOrder;
        otherOrder = order;
        order = sorted;
    }

    private void sortEqual(int count) {
        int from = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || keys[i] != keys[from]) {
                if (i - from > 1) {
                    mergeSort(from, i, Long.BYTES);
                }
                from = i;
            }
        }
    }

    /** Sorts a part of {@link #order}, whose texts share the first {@code shared} bytes. */
    private void mergeSort(int from, int to, int shared) {
        if (to - from < 2) {
            return;
        }
        int middle = (from + to) >>> 1;
        mergeSort(from, middle, shared);
        mergeSort(middle, to, shared);
        System.arraycopy(order, from, otherOrder, from, middle - from);
        int left = from;
        int right = middle;
        int at = from;
        while (left < middle) {
            if (right < to && compare(order[right], otherOrder[left], shared) < 0) {
                order[at++] = order[right++];
            } else {
                order[at++] = otherOrder[left++];
            }
        }
    }

    private int compare(int left, int right, int shared) {
        return Arrays.compareUnsigned(
                bytes,
                start(left) + Math.min(shared, length(left)),
                start(left) + length(left),
                bytes,
                start(right) + Math.min(shared, length(right)),
                start(right) + length(right));
    }
}
