package org.crabro.config.validation;

import java.util.Map;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Feature;

/** Replaces {@code constant(name)} in expressions by the constants of a rank profile. */
final class ProfileConstants {
    private final Map<String, Expression> values;

    ProfileConstants(Map<String, Expression> values) {
        this.values = values;
    }

    /** Returns {@code expression} with its constants replaced; unknown constants stay unchanged. */
    Expression putInto(Expression expression) {
        return expression.replacing(this::value);
    }

    private Expression value(Feature feature) {
        if (!feature.name().equals("constant") || feature.arguments().size() != 1) {
            return feature;
        }
        return values.getOrDefault(feature.arguments().getFirst().toString(), feature);
    }
}
