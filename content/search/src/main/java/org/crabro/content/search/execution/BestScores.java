package org.crabro.content.search.execution;

import java.util.Arrays;

/** The best scores seen so far, up to a limit: a heap with the lowest on top. For one thread. */
final class BestScores {
    private static final int CAPACITY = 64;

    private final int limit;
    private double[] heap;
    private int size;

    /**
     * @param limit at least 1
     */
    BestScores(int limit) {
        this.limit = limit;
        this.heap = new double[Math.min(limit, CAPACITY)];
    }

    /** Returns the score that a row needs to be among the best. It rises as scores are added. */
    double least() {
        return size < limit ? Double.NEGATIVE_INFINITY : heap[0];
    }

    /** Returns how many of the best have the score {@link #least()}, if there are enough. */
    int lastCount() {
        if (size < limit) {
            return Integer.MAX_VALUE;
        }
        int count = 0;
        for (double score : heap) {
            count += score == heap[0] ? 1 : 0;
        }
        return count;
    }

    /** Adds a score, which is not NaN. */
    void add(double score) {
        if (size == limit) {
            if (score > heap[0]) {
                sink(score);
            }
            return;
        }
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, (int) Math.min(limit, 2L * size));
        }
        int at = size++;
        while (at > 0 && heap[(at - 1) >>> 1] > score) {
            heap[at] = heap[(at - 1) >>> 1];
            at = (at - 1) >>> 1;
        }
        heap[at] = score;
    }

    /** Replaces the lowest score. */
    private void sink(double score) {
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && heap[child + 1] < heap[child]) {
                child++;
            }
            if (heap[child] >= score) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = score;
    }
}
