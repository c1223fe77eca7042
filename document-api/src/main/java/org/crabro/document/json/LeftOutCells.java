package org.crabro.document.json;

/**
 * Receives the number of cells of tensors that need memory although a JSON text does not name them.
 * They are 0 until it does: a short text can name one cell of each of many large subspaces. It is
 * called before the memory is allocated, and can throw to end reading.
 */
@FunctionalInterface
public interface LeftOutCells {
    /** Ignores the count. */
    LeftOutCells UNCOUNTED = _ -> {};

    /** Adds a number of cells. */
    void count(int cells);
}
