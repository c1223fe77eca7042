package org.crabro.content.search.visit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.content.storage.block.key.KeyArea;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.document.select.SelectedPlaces;
import org.crabro.document.select.SelectedPlaces.Place;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.VisitSlice;

/**
 * The disjoint key ranges of a visit in one partition, in the order of the visit. They depend only
 * on the selection, the slice and the partition, so every page computes the same ones.
 *
 * <p>Slices of all documents are ranges of locations. If a selection is restricted to groups,
 * buckets or ids, slices are ranges of the document part of keys instead, because there may be few
 * locations.
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
        var areas = new ArrayList<KeyArea>();
        if (places.isEverywhere()) {
            of.ofPlaces(from, to).ifPresent(areas::add);
        } else {
            for (KeyArea area : separate(places.places())) {
                area.ofPlaces(of.placeFrom(), of.placeTo())
                        .flatMap(here -> here.ofDocuments(from, to))
                        .ifPresent(areas::add);
            }
        }
        return new VisitAreas(areas);
    }

    /**
     * Returns the first of the unsigned 64-bit numbers of a slice. After the last slice it is 0.
     */
    private static long start(int index, int count) {
        return BigInteger.valueOf(index)
                .shiftLeft(Long.SIZE)
                .divide(BigInteger.valueOf(count))
                .longValue();
    }

    /** Returns disjoint areas that together cover all of the places, in order. */
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
     * Adds an area that starts after the existing ones. Two overlapping areas are nested, with one
     * exception: a group, and a bucket with a part of the group's documents. Then both are replaced
     * by an area of the whole location.
     */
    private static void add(KeyArea area, List<KeyArea> separate) {
        KeyArea added = area;
        // Areas with the same locations are at the end of the list.
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

    /**
     * Returns the index of the area that contains the keys after {@code key}; the number of areas
     * if there is none.
     */
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

    /** Returns the share of the areas up to {@code key}, which is in one of them. */
    double share(RowKey key) {
        int index = indexBehind(key);
        return index == areas.size() ? 1 : (index + areas.get(index).share(key)) / areas.size();
    }
}
