package org.crabro.container.reindex;

import java.util.Optional;
import org.crabro.document.DocumentId;

/**
 * How far a run came, page by page.
 *
 * @param partitions how many there were; where there are others, the run begins again
 * @param partition the one whose next page is to be read; as many as there are where all were
 * @param after the last document of that partition that was looked at
 * @param share of that partition that lies behind, 0 to 1
 * @param seen documents that were looked at
 * @param written those of them that were written, since they had become others
 * @param refused those that their script cannot process; they are as they were
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

    /** Returns how much lies behind, 0 to 1. */
    public double progress() {
        return partitions == 0 ? 0 : Math.min(1, (partition + share) / partitions);
    }
}
