package org.crabro.content.search.rank;

import org.crabro.config.schema.Input;
import org.crabro.config.schema.RankProfile;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.tensor.TensorTypes;
import org.crabro.ranking.type.RankFeature;
import org.crabro.tensor.TensorType;

/** The inputs of a query as constants of rank expressions. */
final class QueryValues {
    private final RankProfile profile;
    private final RankSettings settings;

    QueryValues(RankProfile profile, RankSettings settings) {
        this.profile = profile;
        this.settings = settings;
    }

    /**
     * Returns the value of a feature {@code query(name)} as a constant, and every other feature
     * unchanged.
     *
     * @throws QueryRejectedException if the value does not have the declared type
     */
    Expression replacing(Expression.Feature feature) {
        if (!feature.name().equals("query")
                || !(RankFeature.of(feature) instanceof RankFeature.Query(String name))) {
            return feature;
        }
        Input declared = profile.inputs().get(name);
        QueryInput given = settings.inputs().get(name);
        TensorData value =
                switch (given) {
                    case null ->
                            declared == null
                                    ? TensorData.number(0)
                                    : declared.defaultValue()
                                            .map(TensorData::of)
                                            .orElseGet(() -> TensorData.empty(declared.type()));
                    case QueryInput.NumberInput(double number) -> TensorData.number(number);
                    case QueryInput.TensorInput(var tensor) -> TensorData.of(tensor);
                };
        TensorType type = declared == null ? value.type() : declared.type();
        if (!value.type().dimensions().equals(type.dimensions())) {
            throw new QueryRejectedException(
                    "query(%s) is a %s where %s is expected"
                            .formatted(
                                    name,
                                    value.type(),
                                    TensorTypes.isNumber(type) ? "a number" : "a " + type));
        }
        return TensorTypes.isNumber(type)
                ? new Expression.Constant(value.cells()[0])
                : new TensorExpression.Value(value.as(type));
    }
}
