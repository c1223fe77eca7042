package org.crabro.ranking.program;

import java.util.Arrays;
import java.util.List;
import org.crabro.ranking.forest.Forest;
import org.crabro.ranking.onnx.RankModel;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.tensor.TensorTypes;
import org.crabro.tensor.TensorType;

/**
 * One step of a program. It names its operands by the numbers of the steps that compute them, which
 * are smaller than its own. Equal steps compute the same, so that a program holds each once.
 */
sealed interface Step {
    /** Returns the numbers of the steps whose results this one reads. */
    default int[] operands() {
        return switch (this) {
            case Fixed _, Read _, FixedTensor _, ReadTensor _ -> new int[0];
            case Apply(_, int first, int second) -> new int[] {first, second};
            case Choose(int condition, int then, int otherwise) ->
                    new int[] {condition, then, otherwise};
            case Contained(int operand, _) -> new int[] {operand};
            case Trees(_, List<Integer> operands) -> numbers(operands);
            case Model(_, _, List<Integer> operands) -> numbers(operands);
            case Compute(_, List<Integer> operands) -> numbers(operands);
        };
    }

    private static int[] numbers(List<Integer> steps) {
        return steps.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Returns this step where step {@code i} is called {@code names[i]}. */
    default Step renumbered(int[] names) {
        return switch (this) {
            case Fixed _, Read _, FixedTensor _, ReadTensor _ -> this;
            case Apply(Operation operation, int first, int second) ->
                    new Apply(operation, names[first], names[second]);
            case Choose(int condition, int then, int otherwise) ->
                    new Choose(names[condition], names[then], names[otherwise]);
            case Contained(int operand, Choices choices) -> new Contained(names[operand], choices);
            case Trees(Forest forest, List<Integer> operands) ->
                    new Trees(forest, operands.stream().map(operand -> names[operand]).toList());
            case Model(RankModel model, int output, List<Integer> operands) ->
                    new Model(
                            model,
                            output,
                            operands.stream().map(operand -> names[operand]).toList());
            case Compute(TensorOperation operation, List<Integer> operands) ->
                    new Compute(
                            operation, operands.stream().map(operand -> names[operand]).toList());
        };
    }

    /** Returns the type of the result: numbers are computed for a batch, tensors row by row. */
    default TensorType type() {
        return switch (this) {
            case Scalar _ -> TensorType.SCALAR;
            case FixedTensor(TensorData tensor) -> tensor.type();
            case ReadTensor(_, TensorType type) -> type;
            case Model(RankModel model, int output, _) -> model.outputs().get(output).type();
            case Compute(TensorOperation operation, _) -> operation.type();
        };
    }

    /** Returns whether the result is a tensor, for which there is no column. */
    default boolean isTensor() {
        return !TensorTypes.isNumber(type());
    }

    /** A step whose result is a number. */
    sealed interface Scalar extends Step {}

    /** The same number for each document. */
    record Fixed(double value) implements Scalar {}

    /** The feature of a slot. */
    record Read(int slot) implements Scalar {}

    /**
     * An operation on one or two numbers.
     *
     * @param second the same as {@code first} where the operation takes one operand
     */
    record Apply(Operation operation, int first, int second) implements Scalar {}

    /** {@code then} where {@code condition} is not 0, NaN included; else {@code otherwise}. */
    record Choose(int condition, int then, int otherwise) implements Scalar {}

    /** 1 where {@code operand} is one of the choices, else 0. */
    record Contained(int operand, Choices choices) implements Scalar {}

    /** The sum of the leaves of trees, which split by numbers. */
    record Trees(Forest forest, List<Integer> inputs) implements Scalar {
        public Trees {
            inputs = List.copyOf(inputs);
        }
    }

    /** An output of a model whose inputs are all tensors. */
    record Model(RankModel model, int output, List<Integer> inputs) implements Step {
        public Model {
            inputs = List.copyOf(inputs);
        }
    }

    /** The same tensor for each document. */
    record FixedTensor(TensorData tensor) implements Step {}

    /** The feature of a slot, which is a tensor. */
    record ReadTensor(int slot, TensorType type) implements Step {}

    /** A number or tensor computed from operands, at least one of which is a tensor. */
    record Compute(TensorOperation operation, List<Integer> inputs) implements Step {
        public Compute {
            inputs = List.copyOf(inputs);
        }
    }

    /** Some numbers, equal by content. */
    final class Choices {
        private final double[] values;

        Choices(double[] values) {
            this.values = values.clone();
        }

        boolean contains(double value) {
            for (double choice : values) {
                if (choice == value) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Choices that && Arrays.equals(values, that.values);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(values);
        }
    }
}
