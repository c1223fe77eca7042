package org.crabro.ranking.program;

import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.type.ExpressionTypes;
import org.crabro.tensor.TensorType;

/** Expressions evaluated for one document whose features are given as expressions. */
final class Evaluated {
    private Evaluated() {}

    /** Returns the value of {@code text}, and checks that it has the inferred type. */
    static TensorData of(String text, Map<String, TensorData> features) {
        return of(ExpressionParser.parse(text), features);
    }

    static TensorData of(Expression expression, Map<String, TensorData> features) {
        Function<Expression.Feature, TensorType> types =
                feature -> {
                    TensorData value = features.get(feature.toString());
                    if (value == null) {
                        throw new AssertionError("no feature " + feature);
                    }
                    return value.type();
                };
        TensorType type = new ExpressionTypes(types).of(expression);
        RankProgram program = RankProgram.compile(expression, types);
        TensorData result = of(program, features);
        if (!result.type().equals(type) || !program.type().equals(type)) {
            throw new AssertionError(
                    "%s is a %s, but was found to be a %s".formatted(expression, result, type));
        }
        return result;
    }

    static TensorData of(RankProgram program, Map<String, TensorData> features) {
        return program.evaluation(1).tensor(new Given(program, features));
    }

    /** Returns the tensor written as {@code text}. */
    static TensorData tensor(String text) {
        return of(text, Map.of());
    }

    /** Returns the same expression with all features known when it is compiled. */
    static TensorData folded(String text, Map<String, TensorData> features) {
        return of(
                ExpressionParser.parse(text)
                        .replacing(feature ->
                                new TensorExpression.Value(
                                        Objects.requireNonNull(features.get(feature.toString())))),
                Map.of());
    }

    private record Given(RankProgram program, Map<String, TensorData> features)
            implements FeatureValues {
        @Override
        public void read(int slot, double[] into, int count) {
            into[0] = tensor(slot, 0).cells()[0];
        }

        @Override
        public TensorData tensor(int slot, int row) {
            return Objects.requireNonNull(features.get(program.features().get(slot).toString()));
        }
    }
}
