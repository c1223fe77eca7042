package org.crabro.content.integrity;

import java.util.List;

/**
 * What a run holds.
 *
 * @param partition whose log it belongs to
 * @param number of the run
 * @param tier its place in the row from old to young, which runs of disjoint keys may share
 * @param created when it was written, microseconds since the epoch
 * @param file the path in the data directory
 * @param bytes the length of the file
 * @param rows all of them
 * @param liveRows rows that are documents
 * @param mergedRows rows that do not count any more: they were merged into another run
 * @param tombstones rows that say that a document was removed, and are not replaced
 * @param replacedRows rows that younger runs replace, or remove with their group
 * @param supersedes rows of other runs that this one's replace
 * @param groupTombstones groups that are removed here from older runs
 * @param blocks how many there are
 * @param firstPlace the first part of the first key, over all types; order is unsigned
 * @param lastPlace the first part of the last key
 * @param types what the rows are documents of, once per version of a type
 */
public record RunSummary(
        int partition,
        long number,
        long tier,
        long created,
        String file,
        long bytes,
        long rows,
        long liveRows,
        long mergedRows,
        long tombstones,
        long replacedRows,
        long supersedes,
        long groupTombstones,
        long blocks,
        long firstPlace,
        long lastPlace,
        List<String> types) {
    public RunSummary {
        types = List.copyOf(types);
    }

    /** Returns the share of rows that readers pass over, 0 to 1. */
    public double deadShare() {
        return rows == 0 ? 0 : (double) (rows - liveRows) / rows;
    }
}
