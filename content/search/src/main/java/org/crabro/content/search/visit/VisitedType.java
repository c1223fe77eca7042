package org.crabro.content.search.visit;

import java.util.List;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;

/**
 * A document type of a visit.
 *
 * @param type the active type; rows may have been written with an earlier one
 * @param shown the returned fields, in order
 */
record VisitedType(DocumentType type, List<Field> shown) {
    VisitedType {
        shown = List.copyOf(shown);
    }
}
