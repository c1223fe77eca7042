package org.crabro.content.search.execution;

/** What happened to each slice while it was matched, written by the thread that scans the slice. */
final class SliceOutcomes {
    private static final byte MATCHED = 1;
    private static final byte SKIPPED = 2;

    private final byte[] outcomes;

    SliceOutcomes(int slices) {
        this.outcomes = new byte[slices];
    }

    void set(int slice, boolean isSkipped) {
        outcomes[slice] = isSkipped ? SKIPPED : MATCHED;
    }

    /** Returns whether rows of a slice were tested. */
    boolean isMatched(int slice) {
        return outcomes[slice] == MATCHED;
    }

    /** Returns whether a slice was skipped because none of its rows can match. */
    boolean isSkipped(int slice) {
        return outcomes[slice] == SKIPPED;
    }
}
