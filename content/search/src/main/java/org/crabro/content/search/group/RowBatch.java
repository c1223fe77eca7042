package org.crabro.content.search.group;

import org.crabro.content.search.match.BlockScan;
import org.crabro.content.storage.file.WorkMeter;

/**
 * Rows of the open slice over which expressions are evaluated. A row occurs once for each element
 * by which it is grouped.
 */
final class RowBatch {
    /**
     * Counts the resources that one thread uses for groups.
     *
     * @param work stops the search if grouping a document takes too long
     * @param memory reserves the memory that groups have used since the last call
     */
    record Spending(WorkMeter work, Runnable memory) {}

    /** The scan of the rows. */
    final BlockScan scan;

    /** The strings of values; cleared with each slice. */
    final TextPool texts;

    /** The meters for the evaluation over the rows. */
    final Spending spending;

    /** Identifies the rows of this batch among others with the same numbers; from 1. */
    long turn;

    int count;
    int[] rows;

    /** Whether the rows are in the order of the block, each at most once. */
    boolean isAscending;

    /** The scores of the rows; not defined if no scores are needed. */
    double[] scores;

    /** By scope and row, the index of the element; empty for scopes that are not entered. */
    final int[][] elements;

    private int serial;

    RowBatch(BlockScan scan, TextPool texts, int scopes, Spending spending) {
        this.scan = scan;
        this.texts = texts;
        this.spending = spending;
        this.rows = new int[0];
        this.scores = new double[0];
        this.elements = new int[scopes][0];
    }

    /** Clears the rows for the next batch. */
    void begin() {
        count = 0;
        serial++;
    }

    /** Returns the serial number of the current batch. */
    int serial() {
        return serial;
    }

    /** Returns whether the rows are consecutive. */
    boolean isRun() {
        return isAscending && count > 0 && rows[count - 1] - rows[0] == count - 1;
    }
}
