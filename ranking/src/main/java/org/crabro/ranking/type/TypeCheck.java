package org.crabro.ranking.type;

import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.ExpressionText;
import org.crabro.ranking.expression.Origin;
import org.crabro.tensor.TensorType;

/** Checks rank expressions in which the functions of the profile were replaced already. */
public final class TypeCheck {
    private final FeatureTypes types;

    /** Makes a check that asks {@code types} what names stand for. */
    public TypeCheck(FeatureTypes types) {
        this.types = types;
    }

    /**
     * Returns the type of {@code expression}'s values.
     *
     * @throws ExpressionTypeException if it names what does not exist, or computes with tensors,
     *     which is not built yet
     */
    public TensorType type(Expression expression) {
        return switch (expression) {
            case Expression.Constant _, Expression.Text _ -> TensorType.SCALAR;
            case Feature feature -> type(feature);
            case Expression.Unary _,
                    Expression.Binary _,
                    Expression.In _,
                    Expression.Call _,
                    Expression.If _ -> {
                for (Expression part : expression.parts()) {
                    if (!isScalar(type(part))) {
                        throw notScalar(part, "; computing with tensors is not built yet");
                    }
                }
                yield TensorType.SCALAR;
            }
        };
    }

    /**
     * Checks an expression that has to be worth one number, such as that of a phase.
     *
     * @throws ExpressionTypeException if it is not, or as {@link #type} does
     */
    public void requireScalar(Expression expression) {
        if (!isScalar(type(expression))) {
            throw notScalar(expression, ", but a number is expected");
        }
    }

    private TensorType type(Feature feature) {
        return switch (types.type(RankFeature.of(feature))) {
            case FeatureTypes.Answer.Typed(TensorType type) -> type;
            case FeatureTypes.Answer.Unknown(var kind, var name, var known) ->
                    throw new ExpressionTypeException(
                            feature.origin(),
                            "'%s' names the %s '%s', which does not exist%s"
                                    .formatted(
                                            feature, kind, name, NearestNames.hint(name, known)));
            case FeatureTypes.Answer.Unfit(String reason) ->
                    throw new ExpressionTypeException(
                            feature.origin(), "'%s' cannot be: %s".formatted(feature, reason));
        };
    }

    private static boolean isScalar(TensorType type) {
        return type.dimensions().isEmpty();
    }

    private ExpressionTypeException notScalar(Expression part, String rest) {
        Origin origin = part instanceof Feature feature ? feature.origin() : Origin.UNKNOWN;
        return new ExpressionTypeException(
                origin, "'" + ExpressionText.of(part) + "' is a " + type(part) + rest);
    }
}
