package org.crabro.document.operation;

import org.crabro.document.FieldValue;

/** A step from a value to the changed part of it. */
public sealed interface UpdateStep {
    /** A member of a struct. A missing struct is created. */
    record Member(String name) implements UpdateStep {}

    /** An element of an array, from 0. If it does not exist, nothing changes. */
    record Index(int index) implements UpdateStep {}

    /** The value of a key of a map. A missing entry is created. */
    record Key(FieldValue key) implements UpdateStep {}

    /**
     * The weight of an element of a weighted set.
     *
     * @param create whether a missing element is created with weight 0; otherwise nothing changes
     * @param removeIfZero whether the element is removed when its weight becomes 0
     */
    record Weight(FieldValue element, boolean create, boolean removeIfZero) implements UpdateStep {}

    /**
     * Every element of an array, every value of a map, or every weight of a weighted set. If there
     * is none, nothing changes.
     *
     * @param variable the name in the path, without {@code $}
     * @param removeIfZero whether an element is removed when its weight becomes 0
     */
    record Every(String variable, boolean removeIfZero) implements UpdateStep {}
}
