package org.crabro.document.select;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.LocationKey;
import org.crabro.text.Glob;

/**
 * The places of documents that a selection can select: it selects no document elsewhere.
 *
 * @param isEverywhere whether they can be anywhere
 * @param places empty if no document can be selected
 */
public record SelectedPlaces(boolean isEverywhere, Set<Place> places) {
    /** The maximal number of places; more become everywhere. */
    private static final int PLACES_MAX = 10_000;

    private static final SelectedPlaces EVERYWHERE = new SelectedPlaces(true, Set.of());

    public SelectedPlaces {
        places = Set.copyOf(places);
    }

    /** A part of all documents. */
    public sealed interface Place {
        /** The documents of a group or a number. */
        record Of(LocationKey key) implements Place {}

        /** One document. */
        record One(DocumentId id) implements Place {}

        /** The documents of a bucket. */
        record InBucket(long bucket) implements Place {}
    }

    static SelectedPlaces of(Condition condition) {
        return switch (condition) {
            case Condition.Constant(var truth) ->
                    truth == Truth.TRUE ? EVERYWHERE : new SelectedPlaces(false, Set.of());
            case Condition.OfType _, Condition.Not _ -> EVERYWHERE;
            case Condition.And(var parts) -> {
                SelectedPlaces both = EVERYWHERE;
                for (Condition part : parts) {
                    both = both.intersection(of(part));
                }
                yield both;
            }
            case Condition.Or(var parts) -> {
                SelectedPlaces union = new SelectedPlaces(false, Set.of());
                for (Condition part : parts) {
                    union = union.union(of(part));
                }
                yield union;
            }
            case Condition.Compare(var comparison, var left, var right) ->
                    place(comparison, left, right)
                            .or(() -> place(comparison, right, left))
                            .map(place -> new SelectedPlaces(false, Set.of(place)))
                            .orElse(EVERYWHERE);
        };
    }

    private static Optional<Place> place(
            Comparison comparison, SelectionExpression id, SelectionExpression literal) {
        if (!(id instanceof SelectionExpression.OfId(var part))
                || !(literal instanceof SelectionExpression.Literal(var value))
                || !isExact(comparison, value)) {
            return Optional.empty();
        }
        return switch (part) {
            case USER ->
                    value instanceof Value.Whole(var number)
                            ? Optional.of(new Place.Of(new LocationKey.Numbered(number)))
                            : Optional.empty();
            case GROUP ->
                    value instanceof Value.Text(var name) && !name.isEmpty()
                            ? Optional.of(new Place.Of(new LocationKey.Group(name)))
                            : Optional.empty();
            case BUCKET ->
                    switch (value) {
                        case Value.Whole(var bucket) -> Optional.of(new Place.InBucket(bucket));
                        case Value.Text(var text) when Buckets.parse(text).isPresent() ->
                                Optional.of(new Place.InBucket(Buckets.parse(text).getAsLong()));
                        default -> Optional.empty();
                    };
            case ALL -> value instanceof Value.Text(var text) ? one(text) : Optional.empty();
            case SCHEME, NAMESPACE, TYPE, SPECIFIC, GID -> Optional.empty();
        };
    }

    private static boolean isExact(Comparison comparison, Value value) {
        return comparison == Comparison.EQUAL
                || (comparison == Comparison.GLOB
                        && (!(value instanceof Value.Text(var text)) || Glob.of(text).isPlain()));
    }

    private static Optional<Place> one(String text) {
        try {
            return Optional.of(new Place.One(DocumentId.parse(text)));
        } catch (InvalidDocumentException _) {
            // No document has such an id; the result is correct nevertheless.
            return Optional.empty();
        }
    }

    private SelectedPlaces union(SelectedPlaces other) {
        if (isEverywhere || other.isEverywhere) {
            return EVERYWHERE;
        }
        var all = new LinkedHashSet<>(places);
        all.addAll(other.places);
        return all.size() > PLACES_MAX ? EVERYWHERE : new SelectedPlaces(false, all);
    }

    private SelectedPlaces intersection(SelectedPlaces other) {
        if (isEverywhere) {
            return other;
        }
        if (other.isEverywhere || (long) places.size() * other.places.size() > PLACES_MAX) {
            return this;
        }
        var both = new LinkedHashSet<Place>();
        for (Place a : places) {
            for (Place b : other.places) {
                common(a, b).or(() -> common(b, a)).ifPresent(both::add);
            }
        }
        return new SelectedPlaces(false, both);
    }

    /** Returns {@code inner} if it overlaps the other place and is not the larger one. */
    private static Optional<Place> common(Place inner, Place outer) {
        boolean isInside =
                switch (inner) {
                    case Place.One(var id) ->
                            switch (outer) {
                                case Place.One(var other) -> id.equals(other);
                                case Place.Of(var key) -> id.key().equals(key);
                                case Place.InBucket(var bucket) ->
                                        Buckets.contains(bucket, id.globalId().bucket());
                            };
                    case Place.Of(var key) ->
                            outer instanceof Place.Of(var other) && key.equals(other);
                    case Place.InBucket(var bucket) ->
                            switch (outer) {
                                case Place.InBucket(var other) -> Buckets.contains(other, bucket);
                                // A bucket has documents of many groups, or a part of a large one.
                                case Place.Of _ -> true;
                                case Place.One _ -> false;
                            };
                };
        return isInside ? Optional.of(inner) : Optional.empty();
    }
}
