package org.crabro.container.search;

import java.util.List;

/**
 * Of hits that have the same value in a field, how many are shown. One field after another.
 *
 * @param fields none for all hits
 */
public record Collapse(List<Field> fields) {
    /** All hits are shown. */
    public static final Collapse NONE = new Collapse(List.of());

    public Collapse {
        fields = List.copyOf(fields);
    }

    /** A field, and how many hits with the same value of it are shown. */
    public record Field(String name, int size) {}
}
