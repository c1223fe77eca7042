package org.crabro.container.visit;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.document.select.SelectedPlaces;
import org.crabro.document.select.SelectedPlaces.Place;
import org.crabro.protocol.cluster.Partitions;

/**
 * The partitions of a visit, in order.
 *
 * <p>Documents are sorted by the bits of their location from the lowest on, and the lowest bits are
 * those of the partition. So partitions sorted by their reversed bits contain the documents in key
 * order.
 */
record VisitPlan(Partitions spread, List<Integer> partitions) {
    /** Bits of a bucket id below its count of significant bits. */
    private static final int BUCKET_BITS = 58;

    VisitPlan {
        partitions = List.copyOf(partitions);
    }

    /** Returns the partitions that may contain documents of {@code places}. */
    static VisitPlan of(SelectedPlaces places, Partitions spread) {
        return of(places, spread, 1);
    }

    /**
     * Returns the partitions that may contain documents of {@code places}.
     *
     * @param parts see {@link VisitReads#parts}
     */
    static VisitPlan of(SelectedPlaces places, Partitions spread, int parts) {
        List<Integer> ofPart =
                IntStream.range(0, spread.count())
                        .map(index -> reversed(index, spread.bits()))
                        .filter(partition ->
                                places.isEverywhere()
                                        || places.places().stream()
                                                .anyMatch(
                                                        place -> mayHold(spread, partition, place)))
                        .boxed()
                        .toList();
        return new VisitPlan(
                spread,
                IntStream.range(0, parts)
                        .boxed()
                        .flatMap(part ->
                                ofPart.stream().map(partition -> part * spread.count() + partition))
                        .toList());
    }

    private static int reversed(int index, int bits) {
        return bits == 0 ? 0 : Integer.reverse(index) >>> (Integer.SIZE - bits);
    }

    private static boolean mayHold(Partitions spread, int partition, Place place) {
        return switch (place) {
            case Place.Of(var key) ->
                    location(key).map(at -> spread.of(at) == partition).orElse(true);
            case Place.One(DocumentId id) -> spread.of(id.location()) == partition;
            case Place.InBucket(long bucket) -> {
                long used = Math.min(bucket >>> BUCKET_BITS, spread.bits());
                long mask = (1L << used) - 1;
                yield (bucket & mask) == (partition & mask);
            }
        };
    }

    private static Optional<Long> location(LocationKey key) {
        return switch (key) {
            case LocationKey.Group(String name) -> Optional.of(DocumentId.locationOfGroup(name));
            case LocationKey.Numbered(long number) -> Optional.of(number);
            case LocationKey.Plain() -> Optional.empty();
        };
    }
}
