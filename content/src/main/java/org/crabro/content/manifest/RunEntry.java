package org.crabro.content.manifest;

/**
 * What a manifest says of a run.
 *
 * @param number of the run, from 1; never given twice
 * @param tier its place in the row from old to young: runs of one tier have no place in common
 * @param rowCount dead rows and tombstones included
 * @param byteCount the length of the file
 * @param firstPlace the first part of the first key, over all types; order is unsigned
 * @param lastPlace the first part of the last key
 * @param lower rows with a place below it do not count any more: they were merged into another run
 * @param upper nor do rows with a place above it
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
    /** What names of run files end with. */
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

    /** Returns the first place of a row that counts. */
    public long first() {
        return Long.compareUnsigned(lower, firstPlace) > 0 ? lower : firstPlace;
    }

    /** Returns the last place of a row that counts. */
    public long last() {
        return Long.compareUnsigned(upper, lastPlace) < 0 ? upper : lastPlace;
    }

    /** Returns whether a row of {@code place} counts, if there is one. */
    public boolean holds(long place) {
        return Long.compareUnsigned(place, first()) >= 0
                && Long.compareUnsigned(place, last()) <= 0;
    }

    /** Returns whether every row counts. */
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
