package org.crabro.protocol.visit;

import org.crabro.document.json.TensorFormat;

/** What a page of a visit holds. */
public sealed interface VisitForm {
    /**
     * JSON, written where the columns are.
     *
     * @param style of the objects and of what stands between them
     * @param withTimestamps whether each object says when its version was written, as {@code
     *     timestamp}, microseconds since the epoch
     * @param withEmpties whether texts and collections are shown that have nothing in them, set or
     *     not: the two are the same
     */
    record Json(Style style, TensorFormat tensors, boolean withTimestamps, boolean withEmpties)
            implements VisitForm {
        /** Without what is empty. */
        public Json(Style style, TensorFormat tensors, boolean withTimestamps) {
            this(style, tensors, withTimestamps, false);
        }
    }

    /** Documents as values. */
    record Documents() implements VisitForm {}

    /** Ids and timestamps alone. */
    record Ids() implements VisitForm {}

    /**
     * How many documents each group has, and what they take: no group is told of in two pages.
     *
     * @param kind of groups; documents that are in none of these are not told of
     */
    record Groups(GroupKind kind) implements VisitForm {}

    /** What ids name groups by. */
    enum GroupKind {
        /** {@code g=name}. */
        NAMED,
        /** {@code n=number}. */
        NUMBERED
    }

    /** The ways in which objects are written. */
    enum Style {
        /** {@code {"id":…,"fields":{…}}} and {@code {"remove":…}}, commas between them. */
        LIST,
        /** {@code {"put":…,"fields":{…}}} and {@code {"remove":…}}, a line feed after each. */
        LINES
    }
}
