package org.crabro.config.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.crabro.ranking.expression.Expression;

/**
 * The features that hits are returned with, by the names to show, in order; functions are expanded.
 *
 * @param match with every hit, and input of the global phase
 * @param summary with every hit
 * @param listed with hits of queries that request all features
 */
public record ShownFeatures(
        Map<String, Expression> match,
        Map<String, Expression> summary,
        Map<String, Expression> listed) {
    /** None. */
    public static final ShownFeatures NONE = ofMatches(Map.of());

    public ShownFeatures {
        match = Collections.unmodifiableMap(new LinkedHashMap<>(match));
        summary = Collections.unmodifiableMap(new LinkedHashMap<>(summary));
        listed = Collections.unmodifiableMap(new LinkedHashMap<>(listed));
    }

    /** Match features and no others. */
    public static ShownFeatures ofMatches(Map<String, Expression> match) {
        return new ShownFeatures(match, Map.of(), Map.of());
    }
}
