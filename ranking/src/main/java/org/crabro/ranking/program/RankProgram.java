package org.crabro.ranking.program;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.onnx.ModelFailedException;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.tensor.TensorWork;
import org.crabro.tensor.TensorType;

/**
 * A compiled rank expression: constants folded, common parts shared, features resolved to slots.
 * Immutable and shared; each thread evaluates through a {@link BatchEvaluation} of its own, which
 * contains the scratch memory.
 *
 * <p>Both branches of an {@code if} are computed for the whole batch and one is selected per
 * document. The language has no side effects, so only the cost differs from computing one branch.
 */
public final class RankProgram {
    /** The maximal number of cells of a model's outputs for a batch; a single row may have more. */
    private static final long MODEL_CELLS = 1 << 20;

    private final List<Step> steps;
    private final List<Expression.Feature> features;
    private final ColumnPlan plan;
    private final ModelRuns models;

    private RankProgram(StepCompiler.Compiled compiled, ModelRuns models) {
        this.models = models;
        steps = compiled.steps();
        features = compiled.features();
        plan = ColumnPlan.of(steps);
    }

    /**
     * Compiles {@code expression}, in which the functions of the profile are already replaced.
     * Every remaining feature gets a slot. The type check decides whether it exists.
     *
     * @throws IllegalArgumentException if a choice of an {@code in} is no constant
     */
    public static RankProgram compile(Expression expression) {
        return compile(expression, _ -> TensorType.SCALAR);
    }

    /**
     * Compiles {@code expression}, in which the functions of the profile are already replaced.
     *
     * @param types of the features that it reads
     * @throws IllegalArgumentException if a choice of an {@code in} is no constant, or operands do
     *     not fit their operation
     */
    public static RankProgram compile(
            Expression expression, Function<Expression.Feature, TensorType> types) {
        return compile(expression, types, ModelRuns.none());
    }

    /** Compiles {@code expression} as the following method does, without a time limit. */
    public static RankProgram compile(
            Expression expression,
            Function<Expression.Feature, TensorType> types,
            ModelRuns models) {
        return compile(expression, types, models, TensorWork.UNLIMITED);
    }

    /**
     * Compiles {@code expression}, in which the functions of the profile are already replaced.
     * Models with constant inputs are run here.
     *
     * @param types of the features that it reads
     * @param models runs the models that the expression names; open as long as the program is used
     * @param work receives units of {@link TensorWork} before constants are computed; may throw
     * @throws IllegalArgumentException as above, if a model is not in {@code models}, or if the
     *     expression is deeper than {@link Expression#MAX_DEPTH}
     * @throws ModelFailedException if a model fails on its inputs
     */
    public static RankProgram compile(
            Expression expression,
            Function<Expression.Feature, TensorType> types,
            ModelRuns models,
            IntConsumer work) {
        // Compilers recurse into the expression: it must not be deeper than the stack allows.
        if (expression.depth() > Expression.MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "the expression is deeper than " + Expression.MAX_DEPTH);
        }
        return new RankProgram(StepCompiler.compile(expression, types, models, work, true), models);
    }

    /** Compiles the same without any fast path: to test those against. */
    static RankProgram compilePlainly(
            Expression expression, Function<Expression.Feature, TensorType> types) {
        ModelRuns models = ModelRuns.none();
        return new RankProgram(
                StepCompiler.compile(expression, types, models, TensorWork.UNLIMITED, false),
                models);
    }

    /** Returns the type of the result. */
    public TensorType type() {
        return steps.getLast().type();
    }

    /** Returns the features that the program reads, each once; a feature's index is its slot. */
    public List<Expression.Feature> features() {
        return features;
    }

    /**
     * Returns something to evaluate with, for one thread, in batches of at most {@code capacity}.
     */
    public BatchEvaluation evaluation(int capacity) {
        return evaluation(capacity, TensorWork.UNLIMITED);
    }

    /**
     * Returns something to evaluate with, as {@link #evaluation(int)} does.
     *
     * @param work receives units of {@link TensorWork} before the work is done; may throw to end
     *     the evaluation, which is of no use then
     */
    public BatchEvaluation evaluation(int capacity, IntConsumer work) {
        return new BatchEvaluation(steps, plan, models, capacity, work);
    }

    /**
     * Returns the maximum number of documents in a batch, which limits the memory for outputs of
     * models; at least 1.
     */
    public int batchMax() {
        long cells = 1;
        for (Step step : steps) {
            if (step instanceof Step.Model(var model, int output, _)) {
                cells += model.outputs().get(output).cellCount();
            }
        }
        return (int) Math.max(1, MODEL_CELLS / cells);
    }

    /**
     * Returns whether the result is known not to fall when a feature rises: a sum of features, each
     * multiplied by constants that are not negative.
     */
    public boolean isRising() {
        var rising = new boolean[steps.size()];
        for (int i = 0; i < rising.length; i++) {
            rising[i] =
                    switch (steps.get(i)) {
                        case Step.Read _ -> true;
                        case Step.Fixed(double value) -> Double.isFinite(value);
                        case Step.Apply(Operation operation, int first, int second) ->
                                (operation == Operation.ADD && rising[first] && rising[second])
                                        || (operation == Operation.MULTIPLY
                                                && ((isFactor(first) && rising[second])
                                                        || (rising[first] && isFactor(second))));
                        default -> false;
                    };
        }
        return rising[rising.length - 1];
    }

    private boolean isFactor(int step) {
        return steps.get(step) instanceof Step.Fixed(double value)
                && value >= 0
                && Double.isFinite(value);
    }

    /** Returns the steps, for tests and traces. */
    @Override
    public String toString() {
        return steps.toString();
    }
}
