package org.crabro.ranking.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.ranking.expression.BinaryOperator;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ScalarFunction;
import org.crabro.ranking.expression.UnaryOperator;

/**
 * Turns an expression into steps. What is constant is computed here; what is computed twice becomes
 * one step; a branch that is never taken leaves neither steps nor features.
 */
final class StepCompiler {
    private final List<Step> steps = new ArrayList<>();
    private final Map<Step, Integer> numbers = new HashMap<>();
    private final Map<Expression.Feature, Integer> slots = new LinkedHashMap<>();

    private StepCompiler() {}

    /**
     * What an expression was turned into.
     *
     * @param steps each after its operands; the last one is what the expression is worth
     * @param features what the steps read, each at the index that is its slot
     */
    record Compiled(List<Step> steps, List<Expression.Feature> features) {}

    static Compiled compile(Expression expression) {
        var compiler = new StepCompiler();
        return compiler.keepUsed(compiler.add(expression));
    }

    /** Adds the steps of {@code expression} and returns the number of the one it is worth. */
    private int add(Expression expression) {
        return switch (expression) {
            case Expression.Constant(double value) -> number(value);
            case Expression.Text(String text) -> number(StringValue.of(text));
            case Expression.Feature feature ->
                    step(new Step.Read(slots.computeIfAbsent(feature, _ -> slots.size())));
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
        };
    }

    /** Folding leaves steps behind that nothing reads, and features with them. */
    private Compiled keepUsed(int last) {
        boolean[] used = new boolean[last + 1];
        used[last] = true;
        for (int i = last; i >= 0; i--) {
            if (used[i]) {
                for (int operand : steps.get(i).operands()) {
                    used[operand] = true;
                }
            }
        }
        List<Expression.Feature> all = List.copyOf(slots.keySet());
        var kept = new ArrayList<Step>();
        var features = new ArrayList<Expression.Feature>();
        int[] renumbered = new int[last + 1];
        for (int i = 0; i <= last; i++) {
            if (used[i]) {
                renumbered[i] = kept.size();
                Step step = steps.get(i);
                if (step instanceof Step.Read(int slot)) {
                    kept.add(new Step.Read(features.size()));
                    features.add(all.get(slot));
                } else {
                    kept.add(step.renumbered(renumbered));
                }
            }
        }
        return new Compiled(List.copyOf(kept), List.copyOf(features));
    }

    private int apply(Operation operation, int first, int second) {
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
        return first == second ? first : step(new Step.Choose(condition, first, second));
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
        return steps.get(operand) instanceof Step.Fixed(double value)
                ? number(choices.contains(value) ? 1 : 0)
                : step(new Step.Contained(operand, choices));
    }

    private int number(double value) {
        return step(new Step.Fixed(value));
    }

    private int step(Step step) {
        Integer known = numbers.putIfAbsent(step, steps.size());
        if (known != null) {
            return known;
        }
        steps.add(step);
        return steps.size() - 1;
    }
}
