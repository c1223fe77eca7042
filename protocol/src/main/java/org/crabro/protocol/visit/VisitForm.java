package org.crabro.protocol.visit;

import org.crabro.document.json.TensorFormat;

/** The form of the contents of a page of a visit. */
public sealed interface VisitForm {
    /**
     * JSON, which the content node writes directly from columns.
     *
     * @param style of the objects and their separators
     * @param withTimestamps whether each object has the write time of its version as {@code
     *     timestamp}, in microseconds since the epoch
     * @param withEmpties whether empty texts and collections are included, whether they were set or
     *     not
     */
    record Json(Style style, TensorFormat tensors, boolean withTimestamps, boolean withEmpties)
            implements VisitForm {
        /** JSON without empty values. */
        public Json(Style style, TensorFormat tensors, boolean withTimestamps) {
            this(style, tensors, withTimestamps, false);
        }
    }

    /** Documents as values. */
    record Documents() implements VisitForm {}

    /** Only ids and timestamps. */
    record Ids() implements VisitForm {}

    /**
     * The number and size of the documents of each group. No group is in two pages, except {@link
     * GroupKind#PLAIN}.
     *
     * @param kind the kind of groups; documents of another kind are not included
     */
    record Groups(GroupKind kind) implements VisitForm {}

    /** How ids name their groups. */
    enum GroupKind {
        /** {@code g=name}. */
        NAMED,
        /** {@code n=number}. */
        NUMBERED,
        /** Neither: the documents without a group, with one entry for each page. */
        PLAIN
    }

    /** The style of JSON objects. */
    enum Style {
        /** {@code {"id":…,"fields":{…}}} and {@code {"remove":…}}, separated by commas. */
        LIST,
        /**
         * {@code {"put":…,"fields":{…}}} and {@code {"remove":…}}, each followed by a line feed.
         */
        LINES
    }
}
