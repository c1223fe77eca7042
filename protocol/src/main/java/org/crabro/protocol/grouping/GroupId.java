package org.crabro.protocol.grouping;

import java.util.Optional;

/** What the documents of a group have in common. */
public sealed interface GroupId {
    /** They are in a request: the group at its root. */
    record Root() implements GroupId {}

    /** They have no value. */
    record Missing() implements GroupId {}

    /** They have a value. */
    record Value(GroupValue value) implements GroupId {}

    /**
     * They have values in a range.
     *
     * @param kind of which type its ends are, were they there
     * @param from the smallest value in it; nothing for no lower bound
     * @param to the smallest value behind it; nothing for no upper bound
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

    /** Compares groups of one list: nothing first, then by value, ranges by their lower ends. */
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
