package org.crabro.content.journal;

/**
 * What a file of the journal holds.
 *
 * @param file the path in the data directory
 * @param number of the segment in it, or 0 where it never had one
 * @param fileBytes the size of the file
 * @param batches the whole batches of the segment
 * @param use whether its records are needed
 */
public record SegmentSummary(String file, int number, long fileBytes, Batches batches, Use use) {
    /**
     * Batches of a segment.
     *
     * @param usedBytes of the file, up to the end of the last batch
     * @param count how many there are
     * @param records in them
     * @param first position of the first record, 0 if there is none
     * @param last position of the last record, 0 if there is none
     */
    public record Batches(long usedBytes, long count, long records, long first, long last) {
        static final Batches NONE = new Batches(0, 0, 0, 0, 0);
    }

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
