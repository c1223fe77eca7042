package org.crabro.config.schema;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is said of how a field counts in scores; nothing where it is as usual.
 *
 * @param weight how much it counts beside other fields, 100 unless said
 * @param type which tables native scores look values up in
 * @param filter whether it only narrows: no native score sees it
 */
public record FieldRanking(OptionalInt weight, Optional<RankType> type, Optional<Boolean> filter) {
    /** Nothing is said. */
    public static final FieldRanking NONE =
            new FieldRanking(OptionalInt.empty(), Optional.empty(), Optional.empty());

    /** Which tables native scores look values up in. */
    public enum RankType {
        ABOUT,
        IDENTITY,
        TAGS,
        EMPTY
    }

    /** Returns what is said here, and by {@code other} what is not. */
    public FieldRanking or(FieldRanking other) {
        return new FieldRanking(
                weight.isPresent() ? weight : other.weight,
                type.or(other::type),
                filter.or(other::filter));
    }

    /** Returns how much the field counts; 0 where it counts for nothing. */
    public int counting() {
        return filter.orElse(false) ? 0 : weight.orElse(100);
    }

    public FieldRanking withWeight(int other) {
        return new FieldRanking(OptionalInt.of(other), type, filter);
    }

    public FieldRanking with(RankType other) {
        return new FieldRanking(weight, Optional.of(other), filter);
    }

    /** Returns the same for a field that only narrows. */
    public FieldRanking filtering() {
        return new FieldRanking(weight, type, Optional.of(true));
    }
}
