package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.crabro.ranking.expression.BinaryOperator;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Binary;
import org.crabro.ranking.expression.Expression.Call;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.Text;
import org.crabro.ranking.expression.Expression.Trees;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ExpressionPosition;
import org.crabro.ranking.expression.ExpressionSyntaxException;
import org.crabro.ranking.expression.ScalarFunction;
import org.crabro.ranking.forest.Forest;
import org.crabro.ranking.forest.InvalidForestException;
import org.crabro.ranking.type.ExpressionTypeException;

/**
 * Replaces {@code xgboost("file.json")} and {@code lightgbm("file.json")} in expressions by
 * decision trees. Their splits name features or functions of the rank profile.
 */
final class ProfileForests {
    private final Components.Forests forests;
    private final UnaryOperator<Expression> functions;

    /**
     * @param functions puts the functions of the profile into an expression
     */
    ProfileForests(Components.Forests forests, UnaryOperator<Expression> functions) {
        this.forests = forests;
        this.functions = functions;
    }

    /**
     * Returns {@code expression} with decision trees in place of the features that name files.
     *
     * @throws ExpressionTypeException if a file has no valid trees, or a split names an unknown
     *     feature
     */
    Expression putInto(Expression expression) {
        List<Feature> models =
                expression.features().stream()
                        .filter(feature -> ForestFormat.named(feature.name()).isPresent())
                        .toList();
        if (models.isEmpty()) {
            return expression;
        }
        Expression whole = expression.replacing(this::model);
        if (whole.depth() > Expression.MAX_DEPTH) {
            throw problem(
                    models.getFirst(),
                    "the expression is deeper than "
                            + Expression.MAX_DEPTH
                            + ", with the inputs of trees");
        }
        return whole;
    }

    private Expression model(Feature feature) {
        Optional<ForestFormat> format = ForestFormat.named(feature.name());
        if (format.isEmpty()) {
            return feature;
        }
        if (feature.arguments().size() != 1
                || !(feature.arguments().getFirst() instanceof Text(String file))
                || !feature.output().isEmpty()) {
            throw problem(
                    feature,
                    "'%s' is not known in this form; expected %s(\"file.json\"), a file below models/"
                            .formatted(feature, format.get()));
        }
        Forest forest;
        try {
            forest = forests.read(format.get(), file);
        } catch (InvalidForestException e) {
            throw problem(feature, String.valueOf(e.getMessage()));
        }
        var inputs = new ArrayList<Expression>();
        for (String name : forest.features()) {
            inputs.add(input(feature, name));
        }
        var trees = new Trees(feature.toString(), forest, inputs);
        return switch (forest.link()) {
            case SUM -> trees;
            case SIGMOID -> new Call(ScalarFunction.SIGMOID, List.of(trees));
            case EXP -> new Call(ScalarFunction.EXP, List.of(trees));
            case SOFTPLUS ->
                    new Call(
                            ScalarFunction.LOG,
                            List.of(
                                    new Binary(
                                            BinaryOperator.PLUS,
                                            new Constant(1),
                                            new Call(ScalarFunction.EXP, List.of(trees)))));
            case SQUARE ->
                    new Binary(
                            BinaryOperator.MULTIPLY,
                            trees,
                            new Call(ScalarFunction.ABS, List.of(trees)));
        };
    }

    /**
     * Returns the input of a split. Its origin is that of the model feature, so that type problems
     * are reported at the place that names the file.
     */
    private Expression input(Feature model, String name) {
        Expression written;
        try {
            written = functions.apply(ExpressionParser.parse(name));
        } catch (ExpressionSyntaxException e) {
            throw problem(model, "'%s' splits by '%s': %s".formatted(model, name, e.problem()));
        }
        ExpressionPosition origin = model.origin();
        return written.replacing(feature ->
                new Feature(feature.name(), feature.arguments(), feature.output(), origin));
    }

    private static ExpressionTypeException problem(Feature feature, String problem) {
        return new ExpressionTypeException(feature.origin(), problem);
    }
}
