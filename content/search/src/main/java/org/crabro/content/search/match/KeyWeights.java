package org.crabro.content.search.match;

import java.util.Arrays;
import org.crabro.content.storage.index.LargestFirst;

/**
 * The weights of those keys of a query that a value contains, the largest first. The memory is
 * reused. For one thread.
 *
 * <p>A value may contain thousands of keys. If they were not added in order, they are sorted once,
 * at the first read.
 */
public final class KeyWeights {
    private final LargestFirst largestFirst = new LargestFirst();
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
            largestFirst.sort(weights, count);
            isSorted = true;
        }
        return weights[index];
    }
}
