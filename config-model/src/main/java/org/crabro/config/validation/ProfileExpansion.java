package org.crabro.config.validation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.RankProfileDeclaration;
import org.crabro.config.parser.RawText;
import org.crabro.config.parser.SchemaDeclaration.PackagedFile;
import org.crabro.config.schema.Phases;
import org.crabro.ranking.expression.ExpansionBudget;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.ExpressionPosition;
import org.crabro.ranking.expression.ExpressionSyntaxException;
import org.crabro.ranking.expression.ProfileFunctions;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.type.ExpressionTypeException;
import org.crabro.ranking.type.RankFeature;
import org.crabro.ranking.type.TypeCheck;
import org.crabro.tensor.TensorType;

/**
 * Expands the expressions of one rank profile and checks their types.
 *
 * <p>The expansion replaces the names of functions, constants, decision trees and models by their
 * definitions. Not thread-safe.
 */
final class ProfileExpansion {
    private final Name profile;
    private final Scope scope;
    private final ProfileExpressions expressions;
    private final ProfileFunctions functions;
    private final ProfileConstants constants;
    private final ProfileForests forests;
    private final ProfileModels models;
    private final ForeachFeature foreach;
    private final SchemaFeatureTypes features;
    private final TypeCheck types;

    /**
     * The state that all profiles of a schema share.
     *
     * @param budget limits the total expansion of functions in all profiles
     */
    record Scope(
            ProfileFields fields,
            Components components,
            ProfileExpressions expressions,
            ExpansionBudget budget) {}

    /** The names that expressions of a profile can use, its own and those of its schema. */
    record Names(
            Map<String, ProfileFunctions.Function> functions,
            Map<String, Expression> constants,
            Map<String, PackagedFile> models) {}

    ProfileExpansion(Name profile, ProfileParts parts, Names names, Scope scope) {
        this.profile = profile;
        this.scope = scope;
        this.expressions = scope.expressions();
        this.functions = new ProfileFunctions(names.functions(), scope.budget());
        this.constants = new ProfileConstants(names.constants());
        Components components = scope.components();
        this.forests = new ProfileForests(components.files().forests(), functions::expand);
        this.models =
                new ProfileModels(components.files().models(), names.models(), new ModelInputs());
        this.foreach =
                new ForeachFeature(
                        scope.fields().withParts(), parts.properties, this::withInsertions);
        this.features =
                new SchemaFeatureTypes(
                        scope.fields(), parts.inputs, parts.sets(RankProfileDeclaration.STRICT));
        this.types = new TypeCheck(features);
    }

    Name profile() {
        return profile;
    }

    /**
     * Returns the type of an expanded expression.
     *
     * @throws ExpressionTypeException if it has none
     */
    TensorType type(Expression expanded) {
        return types.type(expanded);
    }

    /** Expands the expressions that a profile declares as inputs of models. */
    final class ModelInputs {
        /** Returns the expression in {@code text}, or empty after its problem was reported. */
        Optional<Expression> parse(RawText text) {
            return expressions.parseText(text);
        }

        /**
         * Returns an expression with all functions, constants, trees and models expanded.
         *
         * @throws ExpressionTypeException if the expression is not valid
         */
        Expression whole(Expression expression) {
            return expanded(expression);
        }

        /** Returns whether there is a function or constant of a name. */
        boolean has(String name) {
            return functions.names().contains(name);
        }

        /**
         * Returns the type of an expression.
         *
         * @throws ExpressionTypeException if it has none
         */
        TensorType type(Expression expression) {
            return types.type(expression);
        }
    }

    /** Returns the global phase, or empty after its problem was reported. */
    Optional<Phases.Global> global(
            Expression expression, int rerankCount, OptionalDouble dropLimit) {
        if (scope.budget().isSpent()) {
            return Optional.empty();
        }
        try {
            Phases.Global global =
                    new GlobalPhaseCompiler(this::expanded)
                            .compile(expression, rerankCount, dropLimit);
            var checked = new LinkedHashMap<String, Expression>();
            global.features().forEach((name, feature) -> checked.put(name, whole(feature)));
            types.requireScalar(
                    global.expression()
                            .replacing(feature ->
                                    GlobalPhaseCompiler.isGlobalAlone(feature.name())
                                            ? new Constant(0)
                                            : feature));
            for (Phases.Normalizer normalizer : global.normalizers().values()) {
                types.requireScalar(
                        normalizer
                                .input()
                                .replacing(feature ->
                                        GlobalPhaseCompiler.isGlobalAlone(feature.name())
                                                ? new Constant(0)
                                                : feature));
            }
            return Optional.of(
                    new Phases.Global(
                            global.expression(),
                            rerankCount,
                            dropLimit,
                            global.normalizers(),
                            checked));
        } catch (ExpressionSyntaxException e) {
            problem(expression, e.origin(), e.problem());
        } catch (ExpressionTypeException e) {
            problem(expression, e.origin(), e.problem());
        } catch (ProfileModels.ToldException _) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** Checks the expression of a function, which any phase may call. */
    void check(Expression expression) {
        whole(expression, true, false);
    }

    /** Returns {@code expression}, of any type, expanded. */
    Expression whole(Expression expression) {
        return whole(expression, false, false);
    }

    /** Returns {@code expression} with functions, constants, trees and models inserted. */
    private Expression expanded(Expression expression) {
        return withInsertions(expression)
                .replacing(foreach::written)
                .replacing(feature ->
                        TokenFeatures.written(
                                feature, text -> constants.putInto(functions.expand(text))))
                .replacing(this::emptied);
    }

    private Expression withInsertions(Expression expression) {
        return models.putInto(constants.putInto(forests.putInto(functions.expand(expression))));
    }

    /** Returns an empty tensor for the elements of a field that has no such elements. */
    private Expression emptied(Feature feature) {
        // Only these: reading other features here would change the order of reported problems.
        if (!feature.name().startsWith("tensorFrom")
                || !RankFeature.isName(feature.name())
                || !(RankFeature.of(feature) instanceof RankFeature.OfTensor tensor)) {
            return feature;
        }
        Optional<String> emptiness = features.emptiness(tensor);
        if (emptiness.isEmpty()) {
            return feature;
        }
        expressions.warn(
                profile.at(),
                feature.origin(),
                "'%s' has no cell: %s".formatted(feature, emptiness.get()));
        return new TensorExpression.Value(TensorData.empty(tensor.type()));
    }

    /** Returns a hint which function an unknown feature may mean. */
    private String near(Feature feature) {
        return ProfileExpressions.isFeature(feature.name())
                ? ""
                : NearestName.hint(feature.name(), functions.names());
    }

    /** Returns {@code expression} expanded, or a number after its problem was reported. */
    Expression scalar(Expression expression) {
        return whole(expression, false, true);
    }

    private void problem(Expression written, ExpressionPosition origin, String problem) {
        expressions.problem(profile, written, origin, problem);
    }

    private Expression whole(Expression expression, boolean mayBeGlobal, boolean isNumber) {
        if (scope.budget().isSpent()) {
            // The problem is reported already; every further expression exceeds the budget too.
            return new Constant(0);
        }
        try {
            Expression whole = expanded(expression);
            if (whole.depth() > Expression.MAX_DEPTH) {
                throw new ExpressionTypeException(
                        expression.features().stream()
                                .findFirst()
                                .map(Feature::origin)
                                .orElse(ExpressionPosition.UNKNOWN),
                        "with functions and features expanded, the expression is deeper than "
                                + Expression.MAX_DEPTH);
            }
            for (Feature feature : whole.features()) {
                String near = near(feature);
                if (!near.isEmpty()) {
                    problem(
                            expression,
                            feature.origin(),
                            "there is no feature or function '%s'%s".formatted(feature, near));
                    return new Constant(0);
                }
                boolean isGlobal = GlobalPhaseCompiler.isGlobalAlone(feature.name());
                if (isGlobal && mayBeGlobal) {
                    return new Constant(0);
                }
                if (isGlobal) {
                    problem(
                            expression,
                            feature.origin(),
                            "'%s' is only allowed in the expression of a global-phase"
                                    .formatted(feature.name()));
                    return new Constant(0);
                }
                if (UnbuiltFeatures.contains(feature.name())) {
                    problem(
                            expression,
                            feature.origin(),
                            "'" + feature.name() + "' is not built yet");
                    return new Constant(0);
                }
            }
            if (isNumber) {
                types.requireScalar(whole);
            } else {
                types.type(whole);
            }
            return whole;
        } catch (ExpressionSyntaxException e) {
            problem(expression, e.origin(), e.problem());
        } catch (ExpressionTypeException e) {
            problem(expression, e.origin(), e.problem());
        } catch (ProfileModels.ToldException _) {
            return new Constant(0);
        }
        return new Constant(0);
    }
}
