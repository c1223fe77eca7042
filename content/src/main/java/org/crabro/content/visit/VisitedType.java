package org.crabro.content.visit;

import java.util.List;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;

/**
 * A document type that a visit goes through.
 *
 * @param type the active one; rows may have been written with an earlier one
 * @param shown fields of it, in the order in which they are shown
 */
record VisitedType(DocumentType type, List<Field> shown) {
    VisitedType {
        shown = List.copyOf(shown);
    }
}
