package org.crabro.config.schema;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The declared scoring settings of a field; empty settings have their defaults.
 *
 * @param weight relative to other fields, 100 by default
 * @param type the tables in which native scores look up values
 * @param filter whether the field only filters; native scores ignore it
 */
public record FieldRanking(OptionalInt weight, Optional<RankType> type, Optional<Boolean> filter) {
    /** No setting is declared. */
    public static final FieldRanking NONE =
            new FieldRanking(OptionalInt.empty(), Optional.empty(), Optional.empty());

    /** Which tables native scores look values up in. */
    public enum RankType {
        ABOUT,
        IDENTITY,
        TAGS,
        EMPTY
    }

    /** Returns these settings, with those of {@code other} for the empty ones. */
    public FieldRanking or(FieldRanking other) {
        return new FieldRanking(
                weight.isPresent() ? weight : other.weight,
                type.or(other::type),
                filter.or(other::filter));
    }

    /** Returns the weight of the field; 0 for a filter. */
    public int counting() {
        return filter.orElse(false) ? 0 : weight.orElse(100);
    }

    public FieldRanking withWeight(int other) {
        return new FieldRanking(OptionalInt.of(other), type, filter);
    }

    public FieldRanking with(RankType other) {
        return new FieldRanking(weight, Optional.of(other), filter);
    }

    /** Returns the same ranking for a field that counts in scores. */
    public FieldRanking scoring() {
        return new FieldRanking(weight, type, Optional.of(false));
    }

    /** Returns the same ranking for a field that only filters. */
    public FieldRanking filtering() {
        return new FieldRanking(weight, type, Optional.of(true));
    }
}
