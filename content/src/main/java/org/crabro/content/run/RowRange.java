package org.crabro.content.run;

/**
 * Rows of a block.
 *
 * @param from the first
 * @param to the row behind the last
 */
record RowRange(int from, int to) {
    boolean isEmpty() {
        return from >= to;
    }
}
