package org.crabro.container.model;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.crabro.tensor.DenseTensor;

/**
 * A function of a model.
 *
 * @param path the parts of its name in URLs, one or two
 * @param arguments by name
 * @param needsAll whether all arguments must have values; missing inputs of trees are NaN
 */
record ModelFunction(
        List<String> path,
        SortedMap<String, ArgumentType> arguments,
        boolean needsAll,
        Evaluation evaluation) {
    /** Computes the result. */
    interface Evaluation {
        /**
         * Returns the result for the values of arguments.
         *
         * @throws org.crabro.ranking.onnx.ModelFailedException if the model rejects them
         * @throws org.crabro.ranking.onnx.threads.ModelBusyException if no core becomes free in
         *     time
         */
        DenseTensor of(Map<String, DenseTensor> values);
    }

    ModelFunction {
        path = List.copyOf(path);
    }

    /** Returns the name, with the parts separated by dots. */
    String name() {
        return String.join(".", path);
    }
}
