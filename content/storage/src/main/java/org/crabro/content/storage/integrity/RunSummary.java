package org.crabro.content.storage.integrity;

import java.util.List;

/**
 * Summary of a run.
 *
 * @param origin the place of the run in its partition
 * @param file the file of the run
 * @param rows the numbers of its rows
 * @param older the effects on older runs
 * @param places the places of its keys
 * @param types the document types of the rows, once per version of a type
 */
public record RunSummary(
        Origin origin, StoredFile file, Rows rows, Older older, Places places, List<String> types) {
    public RunSummary {
        types = List.copyOf(types);
    }

    /**
     * The place of a run in its partition.
     *
     * @param partition the number of the partition
     * @param run the number of the run
     * @param tier the position of the run from old to young. Runs of disjoint keys can share it
     * @param created the time of the write, microseconds since the epoch
     */
    public record Origin(int partition, long run, long tier, long created) {}

    /**
     * The file of a run.
     *
     * @param path relative to the data directory
     * @param bytes the length of the file
     * @param blocks the number of blocks
     */
    public record StoredFile(String path, long bytes, long blocks) {}

    /**
     * The numbers of rows of a run. Each row is in exactly one of the last four.
     *
     * @param all the number of all rows
     * @param live documents
     * @param merged rows that were merged into another run
     * @param tombstones tombstones that are neither merged nor replaced
     * @param replaced rows that younger runs supersede, or remove with their group
     */
    public record Rows(long all, long live, long merged, long tombstones, long replaced) {
        /** Returns the share of rows that are not live, 0 to 1. */
        public double deadShare() {
            return all == 0 ? 0 : (double) (all - live) / all;
        }
    }

    /**
     * The effects of a run on older runs.
     *
     * @param superseded the number of rows of older runs that rows of this run supersede
     * @param groupTombstones the number of groups that this run removes from older runs
     */
    public record Older(long superseded, long groupTombstones) {}

    /**
     * The places of the keys of a run, over all types. Their order is unsigned.
     *
     * @param first the place of the first key
     * @param last the place of the last key
     */
    public record Places(long first, long last) {}
}
