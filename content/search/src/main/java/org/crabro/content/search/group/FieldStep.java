package org.crabro.content.search.group;

import java.util.Optional;

/** A step from a value to a part of it. */
sealed interface FieldStep {
    /** To a member of a struct, by its index. */
    record Member(int index) implements FieldStep {}

    /** To each element of an array or a weighted set. */
    record Elements() implements FieldStep {}

    /** To each key of a map. */
    record Keys() implements FieldStep {}

    /** To each value of a map. */
    record MapValues() implements FieldStep {}

    /**
     * To the value of one key of a map, if the map contains it.
     *
     * @param literal the key, if it is the same for all rows
     */
    record Entry(Optional<byte[]> literal) implements FieldStep {}
}
