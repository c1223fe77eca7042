package org.crabro.content.match;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** What became of the rows that a condition was asked about, counted by all threads. */
final class FilterCounts {
    private final LongAdder asked = new LongAdder();
    private final LongAdder kept = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder passed = new LongAdder();
    private final DoubleAdder expected = new DoubleAdder();

    /** Counts one block's rows, and how many were expected to match. */
    void add(int rows, double estimate, int matching, long took) {
        asked.add(rows);
        expected.add(estimate);
        kept.add(matching);
        nanos.add(took);
    }

    /** Counts a block that is passed over as no row of it can match. */
    void pass() {
        passed.increment();
    }

    /** Returns how many blocks were passed over. */
    long passed() {
        return passed.sum();
    }

    /** Returns the counts as a line reads. */
    String text() {
        long estimate = Math.round(expected.sum());
        return "%d of %d rows, %d expected, %.3f ms%s"
                .formatted(
                        kept.sum(),
                        asked.sum(),
                        estimate,
                        nanos.sum() / 1e6,
                        passed() == 0 ? "" : "; ruled out " + passed() + " blocks unread");
    }
}
