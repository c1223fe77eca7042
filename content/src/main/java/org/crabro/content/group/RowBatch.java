package org.crabro.content.group;

import org.crabro.content.match.BlockScan;
import org.crabro.content.query.WorkMeter;

/**
 * Rows of the slice that is open, over which expressions are evaluated. A row stands there as often
 * as it takes part: once for each element that it is grouped by.
 */
final class RowBatch {
    /**
     * Counts what one thread spends on groups.
     *
     * @param work ends the search where a document takes too long to be grouped
     * @param memory asks for the memory that groups have taken since it was last run
     */
    record Spending(WorkMeter work, Runnable memory) {}

    /** What the rows are of. */
    final BlockScan scan;

    /** The strings of values; emptied with each slice. */
    final TextPool texts;

    /** What evaluating over the rows costs. */
    final Spending spending;

    /** Tells rows of this batch from those of others with the same numbers; from 1. */
    long turn;

    int count;
    int[] rows;

    /** Whether the rows come in the order of the block, each at most once. */
    boolean isAscending;

    /** The scores of the rows; of no meaning where none are needed. */
    double[] scores;

    /** By scope and row, the element that counts; empty for scopes that are not entered. */
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

    /** Empties it; what follows is another batch. */
    void begin() {
        count = 0;
        serial++;
    }

    /** Returns which of the batches that have been in here it is. */
    int serial() {
        return serial;
    }

    /** Returns whether the rows follow each other without a gap. */
    boolean isRun() {
        return isAscending && count > 0 && rows[count - 1] - rows[0] == count - 1;
    }
}
