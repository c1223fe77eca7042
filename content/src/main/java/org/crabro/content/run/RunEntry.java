package org.crabro.content.run;

/**
 * What a manifest says of a run.
 *
 * @param number of the run, from 1; never given twice
 * @param rowCount dead rows and tombstones included
 * @param byteCount the length of the file
 * @param firstPlace the first part of the first key, over all types; order is unsigned
 * @param lastPlace the first part of the last key
 */
record RunEntry(long number, long rowCount, long byteCount, long firstPlace, long lastPlace) {
    /** What names of run files end with. */
    static final String SUFFIX = ".run";

    /** Returns the name of the file in the partition's directory. */
    String fileName() {
        return fileName(number);
    }

    /** Returns the name of the file of run {@code number}. */
    static String fileName(long number) {
        return number + SUFFIX;
    }
}
