package org.crabro.protocol.search;

import java.util.Map;

/**
 * What a hit brings beside its match features, by the names that the rank profile gives them, in
 * its order.
 *
 * @param summary with every hit
 * @param listed where the query asks for all features
 */
public record OtherFeatures(Map<String, QueryInput> summary, Map<String, QueryInput> listed) {
    /** None. */
    public static final OtherFeatures NONE = new OtherFeatures(Map.of(), Map.of());

    public OtherFeatures {
        summary = SearchHit.copy(summary);
        listed = SearchHit.copy(listed);
    }
}
