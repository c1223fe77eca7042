package org.crabro.content.manifest;

/**
 * The entry of a run in a manifest.
 *
 * @param number of the run, from 1; never assigned twice
 * @param tier its position from old to young: runs of one tier have no place in common
 * @param rowCount all rows, including dead rows and tombstones
 * @param byteCount the length of the file
 * @param firstPlace the first part of the first key, over all types; order is unsigned
 * @param lastPlace the first part of the last key
 * @param lower rows with a lower place are not valid any more: they were merged into another run
 * @param upper rows with a higher place are not valid any more
 * @param created when the run was written, microseconds since the epoch
 */
public record RunEntry(
        long number,
        long tier,
        long rowCount,
        long byteCount,
        long firstPlace,
        long lastPlace,
        long lower,
        long upper,
        long created) {
    /** The suffix of the names of run files. */
    public static final String SUFFIX = ".run";

    /** The smallest place. */
    public static final long FIRST = 0;

    /** The largest place, as order is unsigned. */
    public static final long LAST = -1;

    public RunEntry {
        if (number < 1 || tier < 1 || rowCount < 0 || byteCount < 0) {
            throw new IllegalArgumentException(
                    "run %d of tier %d has %d rows in %d bytes"
                            .formatted(number, tier, rowCount, byteCount));
        }
    }

    /** Returns the name of the file in the partition's directory. */
    public String fileName() {
        return fileName(number);
    }

    /** Returns the name of the file of run {@code number}. */
    public static String fileName(long number) {
        return number + SUFFIX;
    }

    /** Returns the first place of a valid row. */
    public long first() {
        return Long.compareUnsigned(lower, firstPlace) > 0 ? lower : firstPlace;
    }

    /** Returns the last place of a valid row. */
    public long last() {
        return Long.compareUnsigned(upper, lastPlace) < 0 ? upper : lastPlace;
    }

    /** Returns whether rows of {@code place} are valid. */
    public boolean holds(long place) {
        return Long.compareUnsigned(place, first()) >= 0
                && Long.compareUnsigned(place, last()) <= 0;
    }

    /** Returns whether all rows are valid. */
    public boolean isWhole() {
        return first() == firstPlace && last() == lastPlace;
    }

    /** Returns this entry with other bounds. */
    RunEntry within(long newLower, long newUpper) {
        return new RunEntry(
                number,
                tier,
                rowCount,
                byteCount,
                firstPlace,
                lastPlace,
                newLower,
                newUpper,
                created);
    }
}
