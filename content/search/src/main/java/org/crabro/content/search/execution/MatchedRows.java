package org.crabro.content.search.execution;

import java.util.List;
import org.crabro.content.search.match.TopK;
import org.jspecify.annotations.Nullable;

/**
 * The rows that match, as each thread found them.
 *
 * @param isPartial whether time ended before all slices were scanned
 * @param best the best rows of each thread; empty if no hits are requested
 * @param groups the groups of each thread; empty if none are requested
 * @param outcomes of each slice; null unless the search is explained
 */
record MatchedRows(
        Counts counts,
        boolean isPartial,
        List<TopK> best,
        List<GroupedRows> groups,
        @Nullable SliceOutcomes outcomes) {
    /**
     * The sums of the counts of all threads.
     *
     * @param matched the documents that match
     * @param documents the documents in slices that were scanned
     * @param blocks the blocks that were scanned
     * @param skippedBlocks the blocks that cannot contain a match
     */
    record Counts(long matched, long documents, long blocks, long skippedBlocks) {}
}
