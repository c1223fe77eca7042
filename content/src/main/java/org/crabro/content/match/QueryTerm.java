package org.crabro.content.match;

import java.util.List;
import org.crabro.protocol.query.TermSettings;

/**
 * A leaf of the query that features see.
 *
 * @param filters what it looks for, in each of the fields that it searches
 * @param settings what the query says of it
 */
record QueryTerm(List<FieldFilter> filters, TermSettings settings) {
    QueryTerm {
        filters = List.copyOf(filters);
    }

    /** What a term looks for in one field. */
    record FieldFilter(String field, Filter filter) {}
}
