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
 */
public record ReindexPlace(
        int partitions, int partition, Optional<DocumentId> after, double share, Counts counts) {
    /**
     * The documents of a run.
     *
     * @param seen documents that were read
     * @param written documents that changed and were written
     * @param refused documents that their script rejected, which did not change
     */
    public record Counts(long seen, long written, long refused) {
        static final Counts NONE = new Counts(0, 0, 0);

        /** Returns these counts with those of a page. */
        Counts plus(long moreSeen, long moreWritten, long moreRefused) {
            return new Counts(seen + moreSeen, written + moreWritten, refused + moreRefused);
        }
    }

    /** Returns where a run begins. */
    static ReindexPlace begin(int partitions) {
        return new ReindexPlace(partitions, 0, Optional.empty(), 0, Counts.NONE);
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
