package org.crabro.content.search.match;

import java.util.List;
import org.crabro.protocol.query.TermSettings;

/**
 * A leaf of the query that features see.
 *
 * @param filters the conditions, one for each searched field
 * @param settings the settings of the term in the query
 */
record QueryTerm(List<FieldFilter> filters, TermSettings settings) {
    QueryTerm {
        filters = List.copyOf(filters);
    }

    /** The condition of a term in one field. */
    record FieldFilter(String field, Filter filter) {}
}
