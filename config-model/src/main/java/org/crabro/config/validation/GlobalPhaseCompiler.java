package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.crabro.config.schema.Phases;
import org.crabro.config.schema.Phases.Normalizer;
import org.crabro.ranking.expression.BinaryOperator;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Binary;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.ExpressionText;
import org.crabro.ranking.type.ExpressionTypeException;

/**
 * Splits the expression of a global phase. Functions over all hits become normalizers. Features of
 * the document become features that content nodes compute.
 */
final class GlobalPhaseCompiler {
    private static final Set<String> NORMALIZERS =
            Set.of("normalize_linear", "reciprocal_rank", "reciprocal_rank_fusion");

    /**
     * Expands functions and constants; throws if the expression cannot be evaluated in the
     * container.
     */
    private final UnaryOperator<Expression> whole;

    private final Map<String, Normalizer> normalizers = new LinkedHashMap<>();

    /**
     * @param whole replaces functions and constants
     */
    GlobalPhaseCompiler(UnaryOperator<Expression> whole) {
        this.whole = whole;
    }

    /** Returns whether a feature is only allowed in a global phase. */
    static boolean isGlobalAlone(String name) {
        return NORMALIZERS.contains(name) || name.equals(Phases.Global.SCORE);
    }

    /**
     * Returns the global phase of an expression.
     *
     * @throws ExpressionTypeException if a normalizer has invalid arguments
     */
    Phases.Global compile(Expression expression, int rerankCount, OptionalDouble dropLimit) {
        Expression apart = whole.apply(expression).replacing(this::feature);
        var features = new LinkedHashMap<String, Expression>();
        addFeatures(apart, features);
        normalizers.values().forEach(each -> addFeatures(each.input(), features));
        return new Phases.Global(apart, rerankCount, dropLimit, normalizers, features);
    }

    /**
     * Collects the features that content nodes compute. Query features are left out: content nodes
     * could compute them as well, but the container already has their values.
     */
    private void addFeatures(Expression expression, Map<String, Expression> into) {
        for (Feature feature : expression.features()) {
            String name = feature.toString();
            if (!feature.name().equals("query")
                    && !name.equals(Phases.Global.SCORE)
                    && !normalizers.containsKey(name)) {
                into.put(name, feature);
            }
        }
    }

    private Expression feature(Feature feature) {
        List<Expression> arguments = feature.arguments();
        return switch (feature.name()) {
            case "normalize_linear" -> {
                requireCount(feature, arguments.size() == 1, "1 argument");
                yield normalizer(
                        feature, new Normalizer.Linear(input(feature, arguments.getFirst())));
            }
            case "reciprocal_rank" -> {
                requireCount(
                        feature,
                        arguments.size() == 1 || arguments.size() == 2,
                        "1 or 2 arguments");
                double k =
                        arguments.size() == 1
                                ? Normalizer.ReciprocalRank.K
                                : number(feature, arguments.getLast());
                yield normalizer(
                        feature,
                        new Normalizer.ReciprocalRank(input(feature, arguments.getFirst()), k));
            }
            case "reciprocal_rank_fusion" -> {
                requireCount(feature, arguments.size() >= 2, "2 arguments or more");
                yield fusion(feature, arguments);
            }
            default -> feature;
        };
    }

    private Expression fusion(Feature feature, List<Expression> arguments) {
        var ranks = new ArrayList<Expression>();
        for (Expression argument : arguments) {
            ranks.add(
                    normalizer(
                            new Feature(
                                    "reciprocal_rank",
                                    List.of(argument),
                                    feature.output(),
                                    feature.origin()),
                            new Normalizer.ReciprocalRank(
                                    input(feature, argument), Normalizer.ReciprocalRank.K)));
        }
        return ranks.stream()
                .reduce((sum, rank) -> new Binary(BinaryOperator.PLUS, sum, rank))
                .orElseThrow();
    }

    private Feature normalizer(Feature feature, Normalizer normalizer) {
        normalizers.putIfAbsent(feature.toString(), normalizer);
        return feature;
    }

    private Expression input(Feature normalizer, Expression argument) {
        if (!(argument instanceof Feature given) || isNormalizer(given)) {
            throw new ExpressionTypeException(
                    normalizer.origin(),
                    "'%s' takes a feature, or a function of the profile: write a function for '%s'"
                            .formatted(normalizer.name(), ExpressionText.of(argument)));
        }
        Expression input = whole.apply(given);
        if (input.features().stream().anyMatch(GlobalPhaseCompiler::isNormalizer)) {
            throw new ExpressionTypeException(
                    normalizer.origin(),
                    "'%s' is of '%s', which looks at all hits itself"
                            .formatted(normalizer.name(), given));
        }
        return input;
    }

    private static boolean isNormalizer(Feature feature) {
        return NORMALIZERS.contains(feature.name());
    }

    private static double number(Feature normalizer, Expression argument) {
        if (argument instanceof Constant(double value)) {
            return value;
        }
        throw new ExpressionTypeException(
                normalizer.origin(),
                "'%s' takes a number as its second argument, not '%s'"
                        .formatted(normalizer.name(), ExpressionText.of(argument)));
    }

    private static void requireCount(Feature normalizer, boolean holds, String expected) {
        if (!holds) {
            throw new ExpressionTypeException(
                    normalizer.origin(),
                    "'%s' takes %s, not %d"
                            .formatted(normalizer.name(), expected, normalizer.arguments().size()));
        }
    }
}
