package org.crabro.content.search.parent;

import java.util.List;
import org.crabro.document.Field;

/**
 * The way from a row to the value of an imported field. Numbers are those of {@link Parents}.
 *
 * @param name of the field
 * @param reference the field of the row that refers to its parent
 * @param target the type of the parent
 * @param further the links from the parent to a parent of its own, and so on
 * @param source the number of the field with the value
 * @param value that field
 */
record ImportPath(
        String name,
        Field reference,
        String target,
        List<Further> further,
        int source,
        Field value) {
    ImportPath {
        further = List.copyOf(further);
    }

    /**
     * A link from a parent to another one.
     *
     * @param source the number of the field that refers to the other one
     * @param target the type of the other one
     */
    record Further(int source, String target) {}
}
