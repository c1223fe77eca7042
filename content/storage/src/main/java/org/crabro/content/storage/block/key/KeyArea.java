package org.crabro.content.storage.block.key;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;

/**
 * A part of the keys of all types, the scope of a visit: a range of places, optionally a single
 * group, and a range of document numbers in each group. All numbers are unsigned.
 *
 * @param group empty for all groups in the range of places
 */
public record KeyArea(
        long placeFrom,
        long placeTo,
        Optional<LocationKey> group,
        long documentFrom,
        long documentTo) {
    /** Every key. */
    public static final KeyArea EVERYTHING = new KeyArea(0, -1, Optional.empty(), 0, -1);

    private static final Comparator<KeyArea> ORDER =
            Comparator.comparing(KeyArea::placeFrom, Long::compareUnsigned)
                    .thenComparing(KeyArea::placeTo, (a, b) -> Long.compareUnsigned(b, a))
                    .thenComparing(KeyArea::groupText, Arrays::compareUnsigned)
                    .thenComparing(KeyArea::documentFrom, Long::compareUnsigned);

    /**
     * Returns the keys with the group or number of an id; for an id without either, the ids without
     * a group that have the same location.
     */
    public static KeyArea of(DocumentId id) {
        long place = RowKey.place(id.location());
        return new KeyArea(place, place, Optional.of(id.key()), 0, -1);
    }

    /** Returns the keys of a group or a number. */
    public static KeyArea of(LocationKey group) {
        // The namespace, the type and the user part do not affect the place of a group.
        return of(new DocumentId("any", "any", group, "any"));
    }

    /** Returns the keys with the location and the global id of {@code id}: one document. */
    public static KeyArea ofOne(DocumentId id) {
        long document = RowKey.document(id.globalId());
        return of(id).withDocuments(document, document);
    }

    /**
     * Returns the keys of a bucket.
     *
     * @param used the number of significant bits, 0 to 58
     * @param bits the significant bits, the rest zero
     */
    public static KeyArea ofBucket(int used, long bits) {
        if (used <= Integer.SIZE) {
            long from = RowKey.place(bits & ((1L << used) - 1));
            return new KeyArea(from, from | behind(used), Optional.empty(), 0, -1);
        }
        long place = RowKey.place(Integer.toUnsignedLong((int) bits));
        int documentBits = used - Integer.SIZE;
        long documentPart = (bits >>> Integer.SIZE) & ((1L << documentBits) - 1);
        long document = Integer.toUnsignedLong(Integer.reverse((int) documentPart)) << Integer.SIZE;
        return new KeyArea(
                place,
                place | behind(Integer.SIZE),
                Optional.empty(),
                document,
                document | behind(documentBits));
    }

    /** Returns a mask of all bits after the first {@code count}. */
    private static long behind(int count) {
        return count == Long.SIZE ? 0 : -1L >>> count;
    }

    /**
     * Returns the documents of this area whose document number is in a range; empty if there cannot
     * be any.
     */
    public Optional<KeyArea> ofDocuments(long from, long to) {
        long first = Long.compareUnsigned(from, documentFrom) > 0 ? from : documentFrom;
        long last = Long.compareUnsigned(to, documentTo) < 0 ? to : documentTo;
        return Long.compareUnsigned(first, last) > 0
                ? Optional.empty()
                : Optional.of(withDocuments(first, last));
    }

    /** Returns the keys of this area whose place is in a range; empty if there cannot be any. */
    public Optional<KeyArea> ofPlaces(long from, long to) {
        long first = Long.compareUnsigned(from, placeFrom) > 0 ? from : placeFrom;
        long last = Long.compareUnsigned(to, placeTo) < 0 ? to : placeTo;
        return Long.compareUnsigned(first, last) > 0
                ? Optional.empty()
                : Optional.of(new KeyArea(first, last, group, documentFrom, documentTo));
    }

    private KeyArea withDocuments(long from, long to) {
        return new KeyArea(placeFrom, placeTo, group, from, to);
    }

    /** Returns whether every key of {@code that} is in this area. */
    public boolean contains(KeyArea that) {
        return Long.compareUnsigned(placeFrom, that.placeFrom) <= 0
                && Long.compareUnsigned(that.placeTo, placeTo) <= 0
                && (group.isEmpty() || group.equals(that.group))
                && Long.compareUnsigned(documentFrom, that.documentFrom) <= 0
                && Long.compareUnsigned(that.documentTo, documentTo) <= 0;
    }

    /** Returns whether a key can be in both. */
    public boolean overlaps(KeyArea that) {
        return Long.compareUnsigned(placeFrom, that.placeTo) <= 0
                && Long.compareUnsigned(that.placeFrom, placeTo) <= 0
                && (group.isEmpty() || that.group.isEmpty() || group.equals(that.group))
                && Long.compareUnsigned(documentFrom, that.documentTo) <= 0
                && Long.compareUnsigned(that.documentFrom, documentTo) <= 0;
    }

    /** Returns whether a key is in this area. */
    public boolean contains(RowKey key) {
        return contains(ofOne(key.id()));
    }

    /** Orders areas by their start; of areas with the same start, the larger one is first. */
    public static Comparator<KeyArea> order() {
        return ORDER;
    }

    /** Returns the share of this area up to a key of it, 0 to 1, by places or by documents. */
    public double share(RowKey key) {
        return placeFrom == placeTo
                ? share(documentFrom, key.document(), documentTo)
                : share(placeFrom, key.place(), placeTo);
    }

    private static double share(long from, long at, long to) {
        double whole = ((to - from) >>> 1) + 1.0;
        return Math.clamp(((at - from) >>> 1) / whole, 0, 1);
    }

    /** Returns the group's text as in ids, empty if this is not a single group. */
    byte[] groupText() {
        return group.map(LocationKey::text).orElse("").getBytes(UTF_8);
    }

    /** Returns whether the area excludes some documents of a group. */
    public boolean isOfSomeDocuments() {
        return documentFrom != 0 || documentTo != -1;
    }

    /**
     * Returns whether the area overlaps the places from {@code first} to {@code last}, both
     * included.
     */
    public boolean overlaps(long first, long last) {
        return Long.compareUnsigned(placeFrom, last) <= 0
                && Long.compareUnsigned(first, placeTo) <= 0;
    }
}
