package org.crabro.content.visit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.content.block.key.KeyArea;
import org.crabro.content.block.key.RowKey;
import org.crabro.document.select.SelectedPlaces;
import org.crabro.document.select.SelectedPlaces.Place;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitSlice;

/**
 * Where a visit goes in one partition: parts of the keys that have none in common, in the order in
 * which it comes to them. All follows from selection, slice and partition, so that every page finds
 * the same.
 *
 * <p>Slices of all documents are ranges of places. What a selection confines to groups, buckets or
 * ids is sliced by the document parts of keys instead: places may be few there.
 */
final class VisitAreas {
    private static final int BUCKET_BITS_MAX = 58;

    private final List<KeyArea> areas;

    private VisitAreas(List<KeyArea> areas) {
        this.areas = areas;
    }

    static VisitAreas of(
            SelectedPlaces places, VisitSlice slice, Partitions partitions, int partition) {
        KeyArea of = KeyArea.ofBucket(partitions.bits(), partition);
        long from = start(slice.index(), slice.count());
        long to = start(slice.index() + 1, slice.count()) - 1;
        var found = new ArrayList<KeyArea>();
        if (places.isEverywhere()) {
            of.ofPlaces(from, to).ifPresent(found::add);
        } else {
            for (KeyArea area : separate(places.places())) {
                area.ofPlaces(of.placeFrom(), of.placeTo())
                        .flatMap(here -> here.ofDocuments(from, to))
                        .ifPresent(found::add);
            }
        }
        return new VisitAreas(found);
    }

    /** Returns the first of the unsigned 64-bit numbers that a slice has; behind the last, 0. */
    private static long start(int index, int count) {
        return BigInteger.valueOf(index)
                .shiftLeft(Long.SIZE)
                .divide(BigInteger.valueOf(count))
                .longValue();
    }

    /** Returns areas that have no key in common, and together all of the places, in order. */
    private static Collection<KeyArea> separate(Set<Place> places) {
        var ordered = new TreeSet<KeyArea>(KeyArea.order());
        places.forEach(place -> area(place).ifPresent(ordered::add));
        var separate = new ArrayList<KeyArea>();
        for (KeyArea area : ordered) {
            add(area, separate);
        }
        return separate;
    }

    /**
     * Adds an area that begins behind those that are there. Two that overlap are one in the other,
     * but for a group and a bucket of a part of its documents: then all of that place is taken.
     */
    private static void add(KeyArea area, List<KeyArea> separate) {
        KeyArea added = area;
        // What begins at the same places stands at the end.
        for (int i = separate.size() - 1; i >= 0; i--) {
            KeyArea before = separate.get(i);
            if (before.contains(added)) {
                return;
            }
            if (Long.compareUnsigned(before.placeTo(), added.placeFrom()) < 0) {
                break;
            }
            if (before.overlaps(added)) {
                added = new KeyArea(before.placeFrom(), before.placeTo(), Optional.empty(), 0, -1);
                separate.remove(i);
            }
        }
        separate.add(added);
    }

    private static Optional<KeyArea> area(Place place) {
        return switch (place) {
            case Place.Of(var key) -> Optional.of(KeyArea.of(key));
            case Place.One(var id) -> Optional.of(KeyArea.ofOne(id));
            case Place.InBucket(var bucket) -> {
                int used = (int) (bucket >>> BUCKET_BITS_MAX);
                yield used > BUCKET_BITS_MAX
                        ? Optional.empty()
                        : Optional.of(KeyArea.ofBucket(used, bucket));
            }
        };
    }

    List<KeyArea> areas() {
        return areas;
    }

    /** Returns the area to go on with behind {@code key}; behind the last, how many there are. */
    int indexBehind(RowKey key) {
        KeyArea one = KeyArea.ofOne(key.id());
        int index = 0;
        while (index < areas.size()) {
            KeyArea area = areas.get(index);
            if (area.contains(one) || KeyArea.order().compare(area, one) > 0) {
                return index;
            }
            index++;
        }
        return index;
    }

    /** Returns the share of the areas that lies up to {@code key}, which is in one of them. */
    double share(RowKey key) {
        int index = indexBehind(key);
        return index == areas.size() ? 1 : (index + areas.get(index).share(key)) / areas.size();
    }
}
