package org.crabro.content.group;

import org.crabro.content.match.BlockScan;

/**
 * Rows of the slice that is open, over which expressions are evaluated. A row stands there as often
 * as it takes part: once for each element that it is grouped by.
 */
final class RowBatch {
    /** What the rows are of. */
    final BlockScan scan;

    /** The strings of values; emptied with each slice. */
    final TextPool texts;

    int count;
    int[] rows;

    /** The scores of the rows; of no meaning where none are needed. */
    double[] scores;

    /** By scope and row, the element that counts; empty for scopes that are not entered. */
    final int[][] elements;

    RowBatch(BlockScan scan, TextPool texts, int scopes) {
        this.scan = scan;
        this.texts = texts;
        this.rows = new int[0];
        this.scores = new double[0];
        this.elements = new int[scopes][0];
    }
}
