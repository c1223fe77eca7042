package org.crabro.content.storage.block.key;

/**
 * A range of rows of a block.
 *
 * @param from the first row
 * @param to the end, exclusive
 */
public record RowRange(int from, int to) {
    public boolean isEmpty() {
        return from >= to;
    }
}
