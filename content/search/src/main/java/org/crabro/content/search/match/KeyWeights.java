package org.crabro.content.search.match;

import java.util.Arrays;
import org.apache.lucene.util.IntroSorter;

/**
 * The weights of those keys of a query that a value contains, the largest first. The memory is
 * reused. For one thread.
 *
 * <p>A value may contain thousands of keys. If they were not added in order, they are sorted once,
 * at the first read.
 */
public final class KeyWeights {
    private final IntroSorter sorter = new LargestFirst();
    private int[] weights = new int[4];
    private int count;
    private boolean isSorted = true;

    /** Removes all weights. */
    public void clear() {
        count = 0;
        isSorted = true;
    }

    void add(int weight) {
        if (count == weights.length) {
            weights = Arrays.copyOf(weights, 2 * count);
        }
        isSorted &= count == 0 || weights[count - 1] >= weight;
        weights[count++] = weight;
    }

    /** Returns the number of weights. */
    public int count() {
        return count;
    }

    /** Returns the weight at an index; index 0 has the largest weight. */
    public int weight(int index) {
        if (!isSorted) {
            sorter.sort(0, count);
            isSorted = true;
        }
        return weights[index];
    }

    /** Sorts in place. {@link Arrays#sort(int[], int, int)} may allocate memory on each call. */
    private final class LargestFirst extends IntroSorter {
        private int pivot;

        @Override
        protected void setPivot(int index) {
            pivot = weights[index];
        }

        @Override
        protected int comparePivot(int index) {
            return Integer.compare(weights[index], pivot);
        }

        @Override
        protected void swap(int a, int b) {
            int weight = weights[a];
            weights[a] = weights[b];
            weights[b] = weight;
        }
    }
}
