package org.crabro.content.match;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;

/**
 * The arrays that a scan uses again for every block: for numbers of rows, and for what there is one
 * number of for each row. For one thread at a time.
 */
public final class ScanMemory {
    private static final int[] NO_ROWS = {};

    private final ArrayList<int[]> spare = new ArrayList<>();
    private final ArrayList<double[]> spareNumbers = new ArrayList<>();
    private int[] rows = NO_ROWS;
    private int capacity;

    /**
     * What searches that are over have left for those after them: as many as threads scan at a
     * time, and none for large blocks. Safe for use by many threads.
     */
    public static final class Pool {
        /** The rows of the largest blocks that memory is kept for: a few KB for each array. */
        private static final int ROWS_MAX = 4_096;

        private final int most;
        // Guarded by this.
        private final Deque<ScanMemory> kept = new ArrayDeque<>();

        /**
         * @param most how many are kept
         */
        public Pool(int most) {
            this.most = most;
        }

        /** Returns memory that nobody else uses. */
        public synchronized ScanMemory take() {
            return kept.isEmpty() ? new ScanMemory() : kept.pop();
        }

        /** Takes back what nobody uses any more. */
        public synchronized void giveBack(ScanMemory memory) {
            if (kept.size() < most && memory.capacity <= ROWS_MAX) {
                kept.push(memory);
            }
        }
    }

    /** Has room for the rows of a slice; nothing is lent. */
    void reserve(int size) {
        if (size > capacity) {
            capacity = size;
            spare.clear();
            spareNumbers.clear();
            rows = NO_ROWS;
        }
    }

    int[] rows() {
        if (rows.length < capacity) {
            rows = new int[capacity];
        }
        return rows;
    }

    int[] borrow() {
        return spare.isEmpty() ? new int[capacity] : spare.removeLast();
    }

    void giveBack(int[] borrowed) {
        spare.add(borrowed);
    }

    double[] borrowNumbers() {
        return spareNumbers.isEmpty() ? new double[capacity] : spareNumbers.removeLast();
    }

    void giveBack(double[] borrowed) {
        spareNumbers.add(borrowed);
    }
}
