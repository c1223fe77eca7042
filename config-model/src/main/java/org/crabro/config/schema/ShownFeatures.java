package org.crabro.config.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.crabro.ranking.expression.Expression;

/**
 * Features that hits are returned with beside the match features, by the names to show, in order;
 * functions replaced.
 *
 * @param summary with every hit
 * @param listed with hits of queries that ask for all features
 */
public record ShownFeatures(Map<String, Expression> summary, Map<String, Expression> listed) {
    /** None. */
    public static final ShownFeatures NONE = new ShownFeatures(Map.of(), Map.of());

    public ShownFeatures {
        summary = Collections.unmodifiableMap(new LinkedHashMap<>(summary));
        listed = Collections.unmodifiableMap(new LinkedHashMap<>(listed));
    }
}
