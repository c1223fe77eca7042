package org.crabro.client.imports;

/** An element of a list, or a value of a map, that is null. Null members are missing instead. */
enum NullElement {
    NULL
}
