package org.crabro.content.search.match;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.crabro.protocol.search.PlanCounts;

/** Counts the rows that a condition has tested and matched, summed over all threads. */
final class FilterCounts {
    private final LongAdder asked = new LongAdder();
    private final LongAdder passedRows = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder passed = new LongAdder();
    private final DoubleAdder expected = new DoubleAdder();

    /**
     * Adds the rows of one block.
     *
     * @param rows how many were tested
     * @param estimate how many were expected to match
     * @param took the time in nanoseconds
     */
    void add(int rows, double estimate, int matching, long took) {
        asked.add(rows);
        expected.add(estimate);
        passedRows.add(matching);
        nanos.add(took);
    }

    /** Counts a block that was skipped because none of its rows can match. */
    void pass() {
        passed.increment();
    }

    /** Returns the number of skipped blocks. */
    long passed() {
        return passed.sum();
    }

    /** Returns the counts for a plan. */
    PlanCounts plan() {
        return new PlanCounts(
                asked.sum(), passedRows.sum(), Math.round(expected.sum()), passed(), nanos.sum());
    }

    /** Returns the counts as one line of text. */
    String text() {
        long estimate = Math.round(expected.sum());
        return "%d of %d rows, %d expected, %.3f ms%s"
                .formatted(
                        passedRows.sum(),
                        asked.sum(),
                        estimate,
                        nanos.sum() / 1e6,
                        passed() == 0 ? "" : "; ruled out " + passed() + " blocks unread");
    }
}
