package org.crabro.document.select;

/**
 * A selection of documents of one type that is evaluated for many rows at once. Numbers and texts
 * are compared in their columns, each distinct text and each group once. Only values inside of
 * maps, arrays and structs are evaluated row by row. The results equal those of {@link
 * Selection#of}. For one thread.
 */
public final class BatchSelection {
    /** The maximal number of rows of a batch. */
    public static final int ROWS_MAX = 64;

    private final BatchStep step;
    private final Truth[] truths = new Truth[ROWS_MAX];

    BatchSelection(Condition condition, EvaluationContext context, String documentType) {
        this.step = new BatchCompiler(context, documentType).compile(condition);
    }

    /** Sets the rows for the next calls. */
    public void enter(SelectedRows rows) {
        step.enter(rows);
    }

    /**
     * Retains the selected rows.
     *
     * @param rows the first {@code count} of them are tested, at most {@link #ROWS_MAX}; the
     *     selected ones are moved to the front
     * @return the number of selected rows
     */
    public int select(int[] rows, int count) {
        step.run(rows, count, truths);
        int matchCount = 0;
        for (int i = 0; i < count; i++) {
            if (truths[i] == Truth.TRUE) {
                rows[matchCount++] = rows[i];
            }
        }
        return matchCount;
    }
}
