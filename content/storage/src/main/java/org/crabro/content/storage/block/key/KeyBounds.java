package org.crabro.content.storage.block.key;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;

/**
 * A {@link KeyRange} in the form that key columns are searched for: all keys, or the keys with one
 * place and one group's text.
 */
public final class KeyBounds implements Comparable<KeyBounds> {
    private static final KeyBounds EVERYTHING = new KeyBounds(true, 0, new byte[0]);

    private final boolean everything;
    private final long place;
    private final byte[] group;

    private KeyBounds(boolean everything, long place, byte[] group) {
        this.everything = everything;
        this.place = place;
        this.group = group;
    }

    public static KeyBounds of(KeyRange range) {
        return switch (range) {
            case KeyRange.Everything() -> EVERYTHING;
            case KeyRange.Group(String name) -> of(new LocationKey.Group(name));
            case KeyRange.Numbered(long value) -> of(new LocationKey.Numbered(value));
        };
    }

    /**
     * Returns the range of a group. The namespace, the type and the user part do not affect its
     * place.
     */
    public static KeyBounds of(LocationKey key) {
        long location = new DocumentId("any", "any", key, "any").location();
        return new KeyBounds(false, RowKey.place(location), key.text().getBytes(UTF_8));
    }

    /** Returns the range of the group of an area, or of all keys if it has none. */
    public static KeyBounds of(KeyArea area) {
        return area.group().isPresent()
                ? new KeyBounds(false, area.placeFrom(), area.groupText())
                : EVERYTHING;
    }

    /** Returns the place of the group; undefined for the range of all keys. */
    public long place() {
        return place;
    }

    public boolean isEverything() {
        return everything;
    }

    /**
     * Returns whether the range overlaps the places from {@code first} to {@code last}, both
     * included.
     */
    public boolean overlaps(long first, long last) {
        return everything
                || (Long.compareUnsigned(first, place) <= 0
                        && Long.compareUnsigned(place, last) <= 0);
    }

    /**
     * Returns a negative number if a group of {@code groups} is before the range, a positive number
     * if it is after the range.
     */
    public int compare(GroupColumn groups, int number) {
        return everything ? 0 : groups.compare(number, place, group, 0, group.length);
    }

    /** Returns the first of {@code groups} that is not before the range. */
    public int firstNotBefore(GroupColumn groups) {
        return everything ? 0 : groups.firstNotBefore(place, group, 0, group.length);
    }

    /** Orders groups as their keys are ordered. */
    @Override
    public int compareTo(KeyBounds that) {
        int byPlace = Long.compareUnsigned(place, that.place);
        return byPlace != 0 ? byPlace : Arrays.compareUnsigned(group, that.group);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyBounds that
                && everything == that.everything
                && compareTo(that) == 0;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(place) + Arrays.hashCode(group);
    }
}
