package org.crabro.content.journal;

/**
 * What a file of the journal holds.
 *
 * @param file the path in the data directory
 * @param number of the segment in it, or 0 where it never had one
 * @param fileBytes the size of the file
 * @param usedBytes up to the end of the last whole batch
 * @param batches whole ones of the segment
 * @param records in them
 * @param first position of the first record, 0 where there is none
 * @param last position of the last record, 0 where there is none
 * @param use whether its records are needed
 */
public record SegmentSummary(
        String file,
        int number,
        long fileBytes,
        long usedBytes,
        long batches,
        long records,
        long first,
        long last,
        Use use) {
    /** What a file is there for. */
    public enum Use {
        /** Its records are not all in runs. */
        NEEDED,
        /** All its records are in runs: it will be written over. */
        FREE,
        /** It has no whole batch. */
        BLANK
    }
}
