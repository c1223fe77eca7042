package org.crabro.content.match;

import java.util.Arrays;

/**
 * The weights of those keys of a query that a value has, the largest first. Its memory is used
 * again. For one thread.
 */
public final class KeyWeights {
    private int[] weights = new int[4];
    private int count;

    /** Forgets what it had. */
    public void clear() {
        count = 0;
    }

    void add(int weight) {
        if (count == weights.length) {
            weights = Arrays.copyOf(weights, 2 * count);
        }
        int at = count++;
        while (at > 0 && weights[at - 1] < weight) {
            weights[at] = weights[at - 1];
            at--;
        }
        weights[at] = weight;
    }

    /** Returns how many there are. */
    public int count() {
        return count;
    }

    /** Returns one of them. */
    public int weight(int index) {
        return weights[index];
    }
}
