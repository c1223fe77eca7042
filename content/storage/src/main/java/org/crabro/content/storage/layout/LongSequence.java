package org.crabro.content.storage.layout;

import java.util.Arrays;

/** A growing sequence of numbers, such as row numbers. */
public final class LongSequence {
    private static final int FIRST_CAPACITY = 16;

    private long[] numbers = new long[FIRST_CAPACITY];
    private int count;

    public void add(long number) {
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * count);
        }
        numbers[count++] = number;
    }

    public void addAll(long[] more) {
        if (count + more.length > numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(2 * count, count + more.length));
        }
        System.arraycopy(more, 0, numbers, count, more.length);
        count += more.length;
    }

    public void clear() {
        count = 0;
    }

    /** Returns the last number. */
    public long last() {
        return numbers[count - 1];
    }

    public long get(int index) {
        return numbers[index];
    }

    public int count() {
        return count;
    }

    /** Returns the numbers in the order of insertion. */
    public long[] toArray() {
        return Arrays.copyOf(numbers, count);
    }

    /** Returns the distinct numbers in ascending order. */
    public long[] toSortedArray() {
        long[] sorted = toArray();
        Arrays.sort(sorted);
        int distinct = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[distinct++] = sorted[i];
            }
        }
        return distinct == sorted.length ? sorted : Arrays.copyOf(sorted, distinct);
    }
}
