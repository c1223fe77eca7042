package org.crabro.protocol.search;

import java.util.Map;

/**
 * The features of a hit other than its match features, by their names in the rank profile, in its
 * order.
 *
 * @param summary returned with every hit
 * @param listed returned if the query asks for all features
 * @param used by the phases of the rank profile; returned if the search is explained
 */
public record OtherFeatures(
        Map<String, QueryInput> summary,
        Map<String, QueryInput> listed,
        Map<String, QueryInput> used) {
    /** No features. */
    public static final OtherFeatures NONE = new OtherFeatures(Map.of(), Map.of());

    /** Features of a search that is not explained. */
    public OtherFeatures(Map<String, QueryInput> summary, Map<String, QueryInput> listed) {
        this(summary, listed, Map.of());
    }

    public OtherFeatures {
        summary = SearchHit.copy(summary);
        listed = SearchHit.copy(listed);
        used = SearchHit.copy(used);
    }
}
