package org.crabro.ranking.type;

import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.ExpressionText;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.tensor.TensorType;

/** Checks rank expressions in which the functions of the profile were replaced already. */
public final class TypeCheck {
    private final FeatureTypes types;
    private final ExpressionTypes expressions;

    /** Creates a check that resolves names with {@code types}. */
    public TypeCheck(FeatureTypes types) {
        this.types = types;
        this.expressions = new ExpressionTypes(this::type);
    }

    /**
     * Returns the type of {@code expression}'s values.
     *
     * @throws ExpressionTypeException if it uses unknown names, or combines types that do not fit
     */
    public TensorType type(Expression expression) {
        return expressions.of(expression);
    }

    /**
     * Checks an expression that must have one number as its value, such as that of a phase.
     *
     * @throws ExpressionTypeException if it has not, or as {@link #type} does
     */
    public void requireScalar(Expression expression) {
        if (!isScalar(type(expression))) {
            throw notScalar(expression, ", but a number is expected");
        }
    }

    private TensorType type(Feature feature) {
        return switch (types.type(RankFeature.of(feature))) {
            case FeatureTypes.Answer.Typed(TensorType type) -> type;
            case FeatureTypes.Answer.Unknown(var kind, var name, var names) ->
                    throw new ExpressionTypeException(
                            feature.origin(),
                            "'%s' names the %s '%s', which does not exist%s"
                                    .formatted(
                                            feature, kind, name, NearestNames.hint(name, names)));
            case FeatureTypes.Answer.Unfit(String reason) ->
                    throw new ExpressionTypeException(
                            feature.origin(), "'%s' cannot be: %s".formatted(feature, reason));
        };
    }

    private static boolean isScalar(TensorType type) {
        return type.dimensions().isEmpty();
    }

    private ExpressionTypeException notScalar(Expression part, String message) {
        // A constant can have millions of cells: its type is enough.
        String what =
                part instanceof TensorExpression.Value
                        ? "this"
                        : "'" + ExpressionText.of(part) + "'";
        return ExpressionTypes.problem(part, what + " is a " + type(part) + message);
    }
}
