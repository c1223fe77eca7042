package org.crabro.document.select;

import org.crabro.document.FieldValue;

/** A step from a value to one inside it. */
sealed interface PathStep {
    /** A member of a struct, or of each struct of an array. */
    record Member(String name) implements PathStep {}

    /** An element of an array, from 0. */
    record Index(int index) implements PathStep {}

    /** The value of a key of a map, or the weight of an element of a weighted set. */
    record Key(FieldValue key) implements PathStep {}

    /** All keys of a map. */
    record Keys() implements PathStep {}

    /** All values of a map. */
    record Values() implements PathStep {}

    /** Each element of an array, or value of a map. The variable is its index or key. */
    record Each(String variable) implements PathStep {}
}
