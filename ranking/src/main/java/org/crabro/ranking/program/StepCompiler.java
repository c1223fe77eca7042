package org.crabro.ranking.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.crabro.ranking.expression.BinaryOperator;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ScalarFunction;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.expression.TensorExpression.Lambda;
import org.crabro.ranking.expression.TensorExpression.Variable;
import org.crabro.ranking.expression.UnaryOperator;
import org.crabro.ranking.forest.Forest;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.onnx.RankModel;
import org.crabro.ranking.tensor.CellBuffer;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.tensor.TensorTypes;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Compiles an expression to steps. Constants are computed here, equal parts become one step, and a
 * branch that is never taken leaves neither steps nor features.
 */
final class StepCompiler {
    private final List<Step> steps = new ArrayList<>();
    private final Map<Step, Integer> numbers = new HashMap<>();
    private final Map<Expression, Integer> slots = new LinkedHashMap<>();
    private final IdentityHashMap<Expression, Integer> readInside = new IdentityHashMap<>();
    private final Function<Expression.Feature, TensorType> types;
    private final TensorSteps tensors;
    private final ModelRuns models;
    private final IntConsumer work;
    private final @Nullable Inner inner;

    private StepCompiler(
            Function<Expression.Feature, TensorType> types,
            ModelRuns models,
            IntConsumer work,
            @Nullable Inner inner,
            boolean isFast) {
        this.types = types;
        this.models = models;
        this.work = work;
        this.inner = inner;
        this.tensors = new TensorSteps(this, isFast);
    }

    /** What the enclosing expression supplies to a lambda function. */
    private record Inner(StepCompiler around, List<String> names, List<TensorType> parameters) {}

    /**
     * A compiled expression.
     *
     * @param steps each after its operands; the last one computes the value of the expression
     * @param features that the steps read; the index is the slot
     */
    record Compiled(List<Step> steps, List<Expression.Feature> features) {}

    /**
     * @param models runs models whose inputs are constant
     * @param work receives the units of {@link org.crabro.ranking.tensor.TensorWork}
     * @param isFast whether fast paths without intermediate tensors are used
     */
    static Compiled compile(
            Expression expression,
            Function<Expression.Feature, TensorType> types,
            ModelRuns models,
            IntConsumer work,
            boolean isFast) {
        var compiler = new StepCompiler(types, models, work, null, isFast);
        UsedSteps used = compiler.keepUsed(compiler.add(expression));
        return new Compiled(
                used.steps, used.slots.stream().map(Expression.Feature.class::cast).toList());
    }

    /**
     * A compiled lambda function.
     *
     * @param captured the steps of this compiler whose results it reads, by their number as an
     *     operand
     */
    record Inside(Subprogram program, List<Integer> captured) {}

    /** Compiles a lambda function whose parameters have {@code types}. */
    Inside inside(Lambda function, List<TensorType> parameters) {
        var compiler =
                new StepCompiler(
                        types,
                        models,
                        work,
                        new Inner(this, function.parameters(), parameters),
                        tensors.isFast());
        UsedSteps used = compiler.keepUsed(compiler.add(function.body()));
        var captured = new ArrayList<Integer>();
        var slots = new ArrayList<Subprogram.Slot>();
        for (Expression slot : used.slots) {
            if (slot instanceof Variable(String name) && function.parameters().contains(name)) {
                slots.add(new Subprogram.Slot.Parameter(function.parameters().indexOf(name)));
            } else {
                slots.add(new Subprogram.Slot.Captured(captured.size()));
                captured.add(addOnce(slot));
            }
        }
        return new Inside(new Subprogram(used.steps, List.copyOf(slots)), captured);
    }

    /** Returns the type of the result of a step. */
    TensorType type(int step) {
        return steps.get(step).type();
    }

    /** Adds a value that a lambda function reads: first its type, then its number. */
    private int addOnce(Expression expression) {
        Integer numberInside = readInside.get(expression);
        if (numberInside == null) {
            numberInside = add(expression);
            readInside.put(expression, numberInside);
        }
        return numberInside;
    }

    /** Adds the steps of {@code expression} and returns the number of the one it is worth. */
    int add(Expression expression) {
        if (inner != null && isAround(expression, inner)) {
            return read(expression, inner.around.type(inner.around.addOnce(expression)));
        }
        return switch (expression) {
            case Expression.Constant(double value) -> number(value);
            case Expression.Text(String text) -> number(StringValue.of(text));
            case Expression.Feature feature -> read(feature, types.apply(feature));
            case Variable variable -> {
                Inner innerFunction =
                        Objects.requireNonNull(inner, "a variable outside of its function");
                yield read(
                        variable,
                        innerFunction.parameters.get(innerFunction.names.indexOf(variable.name())));
            }
            case TensorExpression tensor -> tensors.add(tensor);
            case Expression.Unary(UnaryOperator operator, Expression operand) -> {
                int only = add(operand);
                yield apply(Operation.of(operator), only, only);
            }
            case Expression.Binary(BinaryOperator operator, Expression left, Expression right) -> {
                int first = add(left);
                int second = add(right);
                yield Operation.isSwapped(operator)
                        ? apply(Operation.of(operator), second, first)
                        : apply(Operation.of(operator), first, second);
            }
            case Expression.Call(ScalarFunction function, List<Expression> arguments) -> {
                int first = add(arguments.getFirst());
                int second = function.arity() == 1 ? first : add(arguments.getLast());
                yield apply(Operation.of(function), first, second);
            }
            case Expression.In(Expression operand, List<Expression> choices) ->
                    contained(add(operand), choices);
            case Expression.If(Expression condition, Expression then, Expression otherwise) ->
                    choose(add(condition), then, otherwise);
            case Expression.Trees(_, Forest forest, List<Expression> inputs) -> {
                var operands = new ArrayList<Integer>();
                for (Expression input : inputs) {
                    operands.add(add(input));
                }
                yield step(new Step.Trees(forest, operands));
            }
            case Expression.Onnx(_, RankModel model, int output, List<Expression> inputs) ->
                    model(model, output, inputs);
        };
    }

    private int model(RankModel model, int output, List<Expression> inputs) {
        var operands = new ArrayList<Integer>();
        var given = new ArrayList<double[]>();
        for (int i = 0; i < inputs.size(); i++) {
            int operand = add(inputs.get(i));
            TensorType type = type(operand);
            if (!type.isDense() || type.cellCount() != model.inputs().get(i).cellCount()) {
                throw new IllegalArgumentException(
                        "input '%s' of onnx-model '%s' is given a %s"
                                .formatted(model.inputs().get(i).name(), model.name(), type));
            }
            operands.add(operand);
            TensorData constant = constant(operand);
            if (constant != null) {
                given.add(constant.cells());
            }
        }
        return given.size() == operands.size()
                ? tensor(
                        TensorData.dense(
                                model.outputs().get(output).type(),
                                models.once(model, given)[output].clone()))
                : step(new Step.Model(model, output, operands));
    }

    /** Whether something inside a function is the same for all that the function is called with. */
    private static boolean isAround(Expression expression, Inner inner) {
        return switch (expression) {
            case Expression.Constant _, Expression.Text _, TensorExpression.Value _ -> false;
            default -> !names(expression, inner.names);
        };
    }

    private static boolean names(Expression expression, List<String> names) {
        return expression instanceof Variable(String name)
                ? names.contains(name)
                : !(expression instanceof Expression.Feature)
                        && expression.parts().stream().anyMatch(part -> names(part, names));
    }

    private int read(Expression slotted, TensorType type) {
        int slot = slots.computeIfAbsent(slotted, _ -> slots.size());
        return step(
                TensorTypes.isNumber(type) ? new Step.Read(slot) : new Step.ReadTensor(slot, type));
    }

    /** The steps that are needed, and the features of their slots. */
    private record UsedSteps(List<Step> steps, List<Expression> slots) {}

    /** Removes steps and features that no step reads after constants were folded. */
    private UsedSteps keepUsed(int last) {
        boolean[] used = new boolean[last + 1];
        used[last] = true;
        for (int i = last; i >= 0; i--) {
            if (used[i]) {
                for (int operand : steps.get(i).operands()) {
                    used[operand] = true;
                }
            }
        }
        List<Expression> all = List.copyOf(slots.keySet());
        var usedSteps = new ArrayList<Step>();
        var read = new ArrayList<Expression>();
        int[] renumbered = new int[last + 1];
        for (int i = 0; i <= last; i++) {
            if (used[i]) {
                renumbered[i] = usedSteps.size();
                switch (steps.get(i)) {
                    case Step.Read(int slot) -> {
                        usedSteps.add(new Step.Read(read.size()));
                        read.add(all.get(slot));
                    }
                    case Step.ReadTensor(int slot, TensorType type) -> {
                        usedSteps.add(new Step.ReadTensor(read.size(), type));
                        read.add(all.get(slot));
                    }
                    default -> usedSteps.add(steps.get(i).renumbered(renumbered));
                }
            }
        }
        return new UsedSteps(List.copyOf(usedSteps), List.copyOf(read));
    }

    /** Adds an operation on operands, or its result if all operands are constant. */
    int compute(TensorOperation operation, List<Integer> operands) {
        if (operands.stream().allMatch(operand -> constant(operand) != null)) {
            return tensor(
                    operation.apply(
                            new TensorOperands() {
                                @Override
                                public TensorData tensor(int operand) {
                                    return Objects.requireNonNull(constant(operands.get(operand)));
                                }

                                @Override
                                public CellBuffer cells(int operand) {
                                    var buffer = new CellBuffer(operation.readsFloats());
                                    buffer.hold(tensor(operand));
                                    work.accept(buffer.count());
                                    return buffer;
                                }

                                @Override
                                public IntConsumer work() {
                                    return work;
                                }

                                @Override
                                public double number(int operand) {
                                    return tensor(operand).cells()[0];
                                }
                            }));
        }
        return step(new Step.Compute(operation, operands));
    }

    @Nullable TensorData constant(int step) {
        return switch (steps.get(step)) {
            case Step.Fixed(double value) -> TensorData.number(value);
            case Step.FixedTensor(TensorData tensor) -> tensor;
            default -> null;
        };
    }

    /** Adds a constant tensor. */
    int tensor(TensorData tensor) {
        return TensorTypes.isNumber(tensor.type())
                ? number(tensor.cells()[0])
                : step(new Step.FixedTensor(tensor));
    }

    private int apply(Operation operation, int first, int second) {
        if (steps.get(first).isTensor() || steps.get(second).isTensor()) {
            return tensors.apply(operation, first, second);
        }
        if (steps.get(first) instanceof Step.Fixed(double a)
                && steps.get(second) instanceof Step.Fixed(double b)) {
            return number(operation.apply(a, b));
        }
        return step(new Step.Apply(operation, first, second));
    }

    private int choose(int condition, Expression then, Expression otherwise) {
        if (steps.get(condition) instanceof Step.Fixed(double value)) {
            return add(value != 0 ? then : otherwise);
        }
        int first = add(then);
        int second = add(otherwise);
        if (first == second) {
            return first;
        }
        return steps.get(first).isTensor()
                ? tensors.choose(condition, first, second)
                : step(new Step.Choose(condition, first, second));
    }

    private int contained(int operand, List<Expression> expressions) {
        double[] values = new double[expressions.size()];
        for (int i = 0; i < values.length; i++) {
            if (!(steps.get(add(expressions.get(i))) instanceof Step.Fixed(double value))) {
                throw new IllegalArgumentException("no constant: " + expressions.get(i));
            }
            values[i] = value;
        }
        var choices = new Step.Choices(values);
        if (steps.get(operand).isTensor()) {
            return tensors.contained(operand, choices);
        }
        return steps.get(operand) instanceof Step.Fixed(double value)
                ? number(choices.contains(value) ? 1 : 0)
                : step(new Step.Contained(operand, choices));
    }

    int number(double value) {
        return step(new Step.Fixed(value));
    }

    private int step(Step step) {
        Integer existing = numbers.putIfAbsent(step, steps.size());
        if (existing != null) {
            return existing;
        }
        steps.add(step);
        return steps.size() - 1;
    }
}
