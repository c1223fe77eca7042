package org.crabro.content.storage.manifest;

/**
 * The places from {@code first} to {@code last}, both inclusive, in unsigned order. A place is the
 * first part of a key. A range whose first place is above its last is empty.
 */
public record PlaceRange(long first, long last) {
    /** Every place. */
    public static final PlaceRange ALL = new PlaceRange(RunEntry.FIRST, RunEntry.LAST);

    public boolean contains(long place) {
        return Long.compareUnsigned(place, first) >= 0 && Long.compareUnsigned(place, last) <= 0;
    }

    /** Returns the places of this range that {@code other} contains. */
    public PlaceRange intersection(PlaceRange other) {
        return new PlaceRange(
                Long.compareUnsigned(other.first, first) > 0 ? other.first : first,
                Long.compareUnsigned(other.last, last) < 0 ? other.last : last);
    }
}
