package org.crabro.ranking.expression;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.crabro.ranking.forest.Forest;
import org.crabro.ranking.onnx.RankModel;

/**
 * A rank expression. Immutable and equal by content; to add a form, add a record here and the
 * compiler lists every {@code switch} that has to learn of it.
 */
public sealed interface Expression
        permits Expression.Constant,
                Expression.Text,
                Expression.Feature,
                Expression.Unary,
                Expression.Binary,
                Expression.In,
                Expression.Call,
                Expression.If,
                Expression.Trees,
                Expression.Onnx,
                TensorExpression {
    /** Expressions deeper than this are refused, so that walking them never exhausts a stack. */
    int MAX_DEPTH = 1_000;

    /**
     * The maximal size of a tree: functions that are composed of others name their arguments twice.
     */
    int MAX_NODES = 1_000_000;

    /**
     * Returns the direct parts of this, in the order written, including the arguments of a feature.
     */
    default List<Expression> parts() {
        return switch (this) {
            case Constant _, Text _ -> List.of();
            case Feature feature -> feature.arguments();
            case Unary(_, Expression operand) -> List.of(operand);
            case Binary(_, Expression left, Expression right) -> List.of(left, right);
            case In(Expression operand, List<Expression> choices) -> {
                var parts = new ArrayList<Expression>(choices);
                parts.addFirst(operand);
                yield parts;
            }
            case Call(_, List<Expression> arguments) -> arguments;
            case If(Expression condition, Expression then, Expression otherwise) ->
                    List.of(condition, then, otherwise);
            case Trees(_, _, List<Expression> inputs) -> inputs;
            case Onnx onnx -> onnx.inputs();
            case TensorExpression tensor -> tensor.parts();
        };
    }

    /**
     * Returns the features that this reads, each once, in the order of their first appearance. A
     * feature's arguments are part of its name and not listed.
     */
    default List<Feature> features() {
        var features = new LinkedHashSet<Feature>();
        var open = new ArrayDeque<Expression>();
        open.push(this);
        while (!open.isEmpty()) {
            Expression next = open.pop();
            if (next instanceof Feature feature) {
                features.add(feature);
            } else {
                next.parts().reversed().forEach(open::push);
            }
        }
        return List.copyOf(features);
    }

    /**
     * Returns the same expression with each feature replaced. Arguments of features do not change.
     */
    default Expression replacing(Function<Feature, Expression> replacement) {
        return switch (this) {
            case Constant _, Text _ -> this;
            case Feature feature -> replacement.apply(feature);
            case Unary(var operator, var operand) ->
                    new Unary(operator, operand.replacing(replacement));
            case Binary(var operator, var left, var right) ->
                    new Binary(operator, left.replacing(replacement), right.replacing(replacement));
            case In(var operand, var choices) -> new In(operand.replacing(replacement), choices);
            case Call(var function, var arguments) -> {
                // No stream: expressions are deep, and a stream takes ten frames a level.
                var replaced = new ArrayList<Expression>();
                for (Expression argument : arguments) {
                    replaced.add(argument.replacing(replacement));
                }
                yield new Call(function, replaced);
            }
            case If(var condition, var then, var otherwise) ->
                    new If(
                            condition.replacing(replacement),
                            then.replacing(replacement),
                            otherwise.replacing(replacement));
            case Trees trees -> trees.with(part -> part.replacing(replacement));
            case Onnx onnx -> onnx.with(part -> part.replacing(replacement));
            case TensorExpression tensor -> tensor.with(part -> part.replacing(replacement));
        };
    }

    /** Returns the models that this runs, each once. */
    default Set<RankModel> models() {
        var models = new LinkedHashSet<RankModel>();
        var open = new ArrayDeque<Expression>();
        open.push(this);
        while (!open.isEmpty()) {
            Expression next = open.pop();
            if (next instanceof Onnx onnx) {
                models.add(onnx.model());
            }
            next.parts().forEach(open::push);
        }
        return models;
    }

    /**
     * The levels of other expressions that need as much stack as one level of tensor expressions.
     */
    int TENSOR_LEVELS = 4;

    /**
     * Returns the depth of this, where a level of tensor expressions counts as {@link
     * #TENSOR_LEVELS}. Returns {@link Integer#MAX_VALUE} above {@link #MAX_NODES} nodes.
     */
    default int depth() {
        record Level(Expression expression, int depth) {}
        int deepest = 0;
        var open = new ArrayDeque<Level>();
        open.push(new Level(this, 1));
        int nodes = 0;
        while (!open.isEmpty()) {
            Level level = open.pop();
            if (++nodes > MAX_NODES) {
                return Integer.MAX_VALUE;
            }
            deepest = Math.max(deepest, level.depth);
            for (Expression part : level.expression.parts()) {
                boolean isTensor = level.expression instanceof TensorExpression;
                open.push(new Level(part, level.depth + (isTensor ? TENSOR_LEVELS : 1)));
            }
        }
        return deepest;
    }

    /** A number. {@code true} is 1 and {@code false} is 0. */
    record Constant(double value) implements Expression {}

    /** A string; its value is its hash. */
    record Text(String value) implements Expression {}

    /**
     * A feature, a function of the profile or a name bound by it.
     *
     * @param name such as {@code bm25}
     * @param arguments as written; empty for {@code now} or {@code myFunction}
     * @param output the part after the dot, such as {@code logscale}; empty for the default
     * @param origin the place in the source, for errors; ignored by equality
     */
    record Feature(
            String name, List<Expression> arguments, String output, ExpressionPosition origin)
            implements Expression {
        public Feature {
            arguments = List.copyOf(arguments);
        }

        /** Makes a feature that was not read from text. */
        public Feature(String name, List<Expression> arguments, String output) {
            this(name, arguments, output, ExpressionPosition.UNKNOWN);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Feature that
                    && name.equals(that.name)
                    && arguments.equals(that.arguments)
                    && output.equals(that.output);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * name.hashCode() + arguments.hashCode()) + output.hashCode();
        }

        /** Returns the normal form of the name, such as {@code closeness(field,embedding)}. */
        @Override
        public String toString() {
            return ExpressionText.of(this);
        }
    }

    /** A sign or a negation before a value. */
    record Unary(UnaryOperator operator, Expression operand) implements Expression {}

    /** Two operands. */
    record Binary(BinaryOperator operator, Expression left, Expression right)
            implements Expression {}

    /**
     * Whether a value is one of several.
     *
     * @param choices constants and strings, at least one
     */
    record In(Expression operand, List<Expression> choices) implements Expression {
        public In {
            choices = List.copyOf(choices);
        }
    }

    /** A call of a function of the language, such as {@code max(a, b)}. */
    record Call(ScalarFunction function, List<Expression> arguments) implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
            if (arguments.size() != function.arity()) {
                throw new IllegalArgumentException(arguments.size() + " given to " + function);
            }
        }
    }

    /** {@code then} where {@code condition} is not 0, else {@code otherwise}. */
    record If(Expression condition, Expression then, Expression otherwise) implements Expression {}

    /**
     * The sum of the leaves of decision trees.
     *
     * @param written the text in the source, such as {@code xgboost("models/m.json")}
     * @param inputs numbers, one for each of the forest's features, in their order
     */
    record Trees(String written, Forest forest, List<Expression> inputs) implements Expression {
        public Trees {
            inputs = List.copyOf(inputs);
            if (inputs.size() != forest.features().size()) {
                throw new IllegalArgumentException(inputs.size() + " inputs of " + forest);
            }
        }

        /** Returns the same trees, of other inputs. */
        public Trees with(Function<Expression, Expression> change) {
            var changed = new ArrayList<Expression>();
            for (Expression input : inputs) {
                changed.add(change.apply(input));
            }
            return new Trees(written, forest, changed);
        }
    }

    /**
     * An output of a model.
     *
     * @param written the text in the source, such as {@code onnx(m).score}
     * @param output the number of one of the model's outputs
     * @param inputs dense tensors, one for each of the model's inputs, in their order
     */
    record Onnx(String written, RankModel model, int output, List<Expression> inputs)
            implements Expression {
        public Onnx {
            inputs = List.copyOf(inputs);
            if (inputs.size() != model.inputs().size()) {
                throw new IllegalArgumentException(inputs.size() + " inputs of " + model);
            }
            if (output < 0 || output >= model.outputs().size()) {
                throw new IllegalArgumentException("output " + output + " of " + model);
            }
        }

        /** Returns the same output, of other inputs. */
        public Onnx with(Function<Expression, Expression> change) {
            var changed = new ArrayList<Expression>();
            for (Expression input : inputs) {
                changed.add(change.apply(input));
            }
            return new Onnx(written, model, output, changed);
        }
    }
}
