package org.crabro.content.storage.journal;

/**
 * The content of a file of the journal.
 *
 * @param file the path in the data directory
 * @param number of its segment, or 0 if it never had one
 * @param fileBytes the size of the file
 * @param batches the whole batches of the segment
 * @param use whether its records are needed
 */
public record SegmentSummary(String file, int number, long fileBytes, Batches batches, Use use) {
    /**
     * The batches of a segment.
     *
     * @param usedBytes bytes of the file up to the end of the last batch
     * @param count the number of batches
     * @param records the number of their records
     * @param first position of the first record, 0 if there is none
     * @param last position of the last record, 0 if there is none
     */
    public record Batches(long usedBytes, long count, long records, long first, long last) {
        static final Batches NONE = new Batches(0, 0, 0, 0, 0);
    }

    /** The use of a file. */
    public enum Use {
        /** Some of its records are not in runs yet. */
        NEEDED,
        /** All its records are in runs; it will be overwritten. */
        FREE,
        /** It has no whole batch. */
        BLANK
    }
}
