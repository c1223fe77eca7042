package org.crabro.document.json;

/**
 * Is told of cells of tensors that there is memory for although a JSON text has not named them, and
 * which are 0 until it does: a short text can name one cell of each of many large subspaces. May
 * throw, before there is memory, and so end reading.
 */
@FunctionalInterface
public interface LeftOutCells {
    /** For texts of which it does not matter. */
    LeftOutCells UNCOUNTED = _ -> {};

    /** Counts some more. */
    void count(int cells);
}
