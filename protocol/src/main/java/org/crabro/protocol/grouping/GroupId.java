package org.crabro.protocol.grouping;

import java.util.Optional;

/** The value that the documents of a group have in common. */
public sealed interface GroupId {
    /** The root group of a request. */
    record Root() implements GroupId {}

    /** No value. */
    record Missing() implements GroupId {}

    /** A value. */
    record Value(GroupValue value) implements GroupId {}

    /**
     * A range of values.
     *
     * @param kind the type of the bounds, even if both are empty
     * @param from the inclusive lower bound; empty for none
     * @param to the exclusive upper bound; empty for none
     */
    record Range(Kind kind, Optional<GroupValue> from, Optional<GroupValue> to)
            implements GroupId {}

    /** The type of the ends of a range. */
    enum Kind {
        LONG,
        DOUBLE,
        STRING,
        RAW
    }

    /**
     * Compares groups of one list: missing values first, then by value, ranges by their lower
     * bounds.
     */
    static int compare(GroupId a, GroupId b) {
        return switch (a) {
            case Root _ -> b instanceof Root ? 0 : -1;
            case Missing _ -> b instanceof Root ? 1 : b instanceof Missing ? 0 : -1;
            case Value(GroupValue one) ->
                    switch (b) {
                        case Value(GroupValue other) -> GroupValue.compare(one, other);
                        case Range _ -> -1;
                        case Root _, Missing _ -> 1;
                    };
            case Range one -> b instanceof Range other ? compare(one, other) : 1;
        };
    }

    private static int compare(Range a, Range b) {
        int from = compareEnds(a.from, b.from, -1);
        return from != 0 ? from : compareEnds(a.to, b.to, 1);
    }

    private static int compareEnds(Optional<GroupValue> a, Optional<GroupValue> b, int unbounded) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.isPresent() == b.isPresent() ? 0 : a.isEmpty() ? unbounded : -unbounded;
        }
        return GroupValue.compare(a.get(), b.get());
    }
}
