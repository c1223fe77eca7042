package org.crabro.content.block.key;

/**
 * Rows of a block.
 *
 * @param from the first
 * @param to the row behind the last
 */
public record RowRange(int from, int to) {
    public boolean isEmpty() {
        return from >= to;
    }
}
