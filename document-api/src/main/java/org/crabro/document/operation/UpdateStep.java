package org.crabro.document.operation;

import org.crabro.document.FieldValue;

/** A step from a value to something in it that is changed. */
public sealed interface UpdateStep {
    /** A field of a struct, which is made where it is not there. */
    record Member(String name) implements UpdateStep {}

    /** An element of an array, from 0. Where there is none nothing is changed. */
    record Index(int index) implements UpdateStep {}

    /** The value of a key of a map, which is made where it is not there. */
    record Key(FieldValue key) implements UpdateStep {}

    /**
     * The weight of an element of a weighted set.
     *
     * @param create whether a missing element is created with weight 0; otherwise nothing changes
     * @param removeIfZero whether the element is removed when its weight becomes 0
     */
    record Weight(FieldValue element, boolean create, boolean removeIfZero) implements UpdateStep {}
}
