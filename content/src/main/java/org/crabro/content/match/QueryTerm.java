package org.crabro.content.match;

import java.util.List;

/**
 * A leaf of the query that features see.
 *
 * @param filters what it looks for, in each of the fields that it searches
 */
record QueryTerm(List<Sought> filters) {
    QueryTerm {
        filters = List.copyOf(filters);
    }

    /** What a term looks for in one field. */
    record Sought(String field, Filter filter) {}
}
