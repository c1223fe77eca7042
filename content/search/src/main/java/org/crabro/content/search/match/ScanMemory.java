package org.crabro.content.search.match;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;

/**
 * Arrays that a scan reuses for every block: for row numbers, and for one number per row. For one
 * thread at a time.
 */
public final class ScanMemory {
    private static final int[] NO_ROWS = {};

    private final ArrayList<int[]> spare = new ArrayList<>();
    private final ArrayList<double[]> spareNumbers = new ArrayList<>();
    private int[] rows = NO_ROWS;
    private int capacity;

    /**
     * A pool of the arrays of finished scans. It retains at most one for each scan thread and none
     * for large blocks. Safe for use by many threads.
     */
    public static final class Pool {
        /**
         * The maximum number of rows of a block whose arrays are pooled. Each array then has a few
         * KB.
         */
        private static final int ROWS_MAX = 4_096;

        private final int most;
        // Guarded by this.
        private final Deque<ScanMemory> pooled = new ArrayDeque<>();

        /**
         * @param most the maximum number of pooled arrays
         */
        public Pool(int most) {
            this.most = most;
        }

        /** Takes memory from the pool, or creates it if the pool is empty. */
        public synchronized ScanMemory take() {
            return pooled.isEmpty() ? new ScanMemory() : pooled.pop();
        }

        /** Returns unused memory to the pool. */
        public synchronized void giveBack(ScanMemory memory) {
            if (pooled.size() < most && memory.capacity <= ROWS_MAX) {
                pooled.push(memory);
            }
        }
    }

    /** Grows the arrays to the rows of a slice. No array may be on loan. */
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
