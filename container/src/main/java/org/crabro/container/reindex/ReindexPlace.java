package org.crabro.container.reindex;

import java.util.Optional;
import org.crabro.document.DocumentId;

/**
 * The progress of a run.
 *
 * @param partitions their number; if it changes, the run begins again
 * @param partition the one whose next page is read; equals {@code partitions} at the end
 * @param after the last document of that partition that was read
 * @param share the fraction of that partition that is done, 0 to 1
 * @param seen documents that were read
 * @param written those of them that changed and were written
 * @param refused those that their script rejected, which did not change
 */
public record ReindexPlace(
        int partitions,
        int partition,
        Optional<DocumentId> after,
        double share,
        long seen,
        long written,
        long refused) {
    /** Returns where a run begins. */
    static ReindexPlace begin(int partitions) {
        return new ReindexPlace(partitions, 0, Optional.empty(), 0, 0, 0, 0);
    }

    /** Returns whether nothing is left. */
    boolean isEnd() {
        return partition >= partitions;
    }

    /** Returns the fraction that is done, 0 to 1. */
    public double progress() {
        return partitions == 0 ? 0 : Math.min(1, (partition + share) / partitions);
    }
}
