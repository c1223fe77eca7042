package org.crabro.content.search.rank;

import java.util.HashMap;
import java.util.Map;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ExpressionSyntaxException;
import org.crabro.ranking.type.ExpressionTypeException;
import org.crabro.ranking.type.RankFeature;

/** Rank features whose values are set by the query, for all documents. */
final class GivenFeatures {
    private final Map<RankFeature, Double> values = new HashMap<>();

    /**
     * @param byName values by names such as {@code bm25(title)}
     * @throws QueryRejectedException if a name is not a rank feature
     */
    GivenFeatures(Map<String, Double> byName) {
        byName.forEach((name, value) -> values.put(feature(name), value));
    }

    private static RankFeature feature(String name) {
        try {
            if (ExpressionParser.parse(name) instanceof Expression.Feature feature) {
                return RankFeature.of(feature);
            }
        } catch (ExpressionSyntaxException | ExpressionTypeException e) {
            throw new QueryRejectedException("'%s': %s".formatted(name, e.getMessage()));
        }
        throw new QueryRejectedException("'%s' is no rank feature".formatted(name));
    }

    /** Returns whether an expression contains some of these features. */
    boolean areIn(Expression expression) {
        return !values.isEmpty()
                && expression.features().stream()
                        .anyMatch(feature -> values.containsKey(RankFeature.of(feature)));
    }

    /** Returns the value of a feature as a constant; if it has none, the feature itself. */
    Expression value(Expression.Feature feature) {
        Double value = values.isEmpty() ? null : values.get(RankFeature.of(feature));
        return value == null ? feature : new Expression.Constant(value);
    }
}
