package org.crabro.content.storage.manifest;

/**
 * The entry of a run in a manifest.
 *
 * @param number of the run, from 1; never assigned twice
 * @param tier its position from old to young; the {@link #valid} ranges of the runs of one tier do
 *     not overlap
 * @param size of the file
 * @param stored the places of the rows in the file, over all types
 * @param bounds rows outside are not valid any more: they were merged into another run
 * @param created when the run was written, microseconds since the epoch
 */
public record RunEntry(
        long number, long tier, Size size, PlaceRange stored, PlaceRange bounds, long created) {
    /**
     * The size of a run.
     *
     * @param rows all rows, including dead rows and tombstones
     * @param bytes the length of the file
     */
    public record Size(long rows, long bytes) {}

    /** The suffix of the names of run files. */
    public static final String SUFFIX = ".run";

    /** The smallest place. */
    public static final long FIRST = 0;

    /** The largest place, as order is unsigned. */
    public static final long LAST = -1;

    public RunEntry {
        if (number < 1 || tier < 1 || size.rows < 0 || size.bytes < 0) {
            throw new IllegalArgumentException(
                    "run %d of tier %d has %d rows in %d bytes"
                            .formatted(number, tier, size.rows, size.bytes));
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

    public long rowCount() {
        return size.rows;
    }

    public long byteCount() {
        return size.bytes;
    }

    /** Returns the places of valid rows. Loops over rows get this range once. */
    public PlaceRange valid() {
        return stored.intersection(bounds);
    }

    /** Returns the first place of a valid row. */
    public long first() {
        return valid().first();
    }

    /** Returns the last place of a valid row. */
    public long last() {
        return valid().last();
    }

    /** Returns whether all rows are valid. */
    public boolean isWhole() {
        return valid().equals(stored);
    }

    /** Returns this entry with other bounds. */
    RunEntry within(PlaceRange newBounds) {
        return new RunEntry(number, tier, size, stored, newBounds, created);
    }
}
