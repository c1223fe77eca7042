package org.crabro.component;

import java.util.SortedMap;
import org.crabro.tensor.Tensor;

/** Evaluates a function of a model once. For one thread. */
public interface FunctionEvaluator {
    /**
     * Returns the types of the arguments, by name, such as {@code tensor<float>(d0[],d1[784])}. A
     * dimension without a size has any size.
     */
    SortedMap<String, String> arguments();

    /**
     * Sets an argument.
     *
     * @throws IllegalArgumentException if there is no such argument, or it has another type
     * @throws IllegalStateException after an evaluation
     */
    FunctionEvaluator bind(String name, Tensor value);

    /** Sets an argument that is a number, as {@link #bind(String, Tensor)} does. */
    FunctionEvaluator bind(String name, double value);

    /**
     * Sets an argument from the text of a tensor. If the argument is a number and the text is not,
     * its value is the number that rank expressions compare for the text.
     */
    FunctionEvaluator bind(String name, String value);

    /** Sets the value of all cells of arguments that are not set. */
    FunctionEvaluator setMissingValue(double value);

    /**
     * Returns the result. Waits for a free core, for a minute at most.
     *
     * @throws IllegalStateException if an argument is not set, or after an evaluation
     * @throws RuntimeException if the model rejects the arguments, or no core became free
     */
    Tensor evaluate();
}
