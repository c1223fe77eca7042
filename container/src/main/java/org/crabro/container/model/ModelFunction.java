package org.crabro.container.model;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import org.crabro.ranking.program.StringValue;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorSyntaxException;

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

    /** Returns whether a name, or its beginning up to a dot, names this, in any case. */
    private boolean isNamed(String name) {
        String own = name().toLowerCase(Locale.ROOT);
        String asked = name.toLowerCase(Locale.ROOT);
        return asked.isEmpty() || own.equals(asked) || own.startsWith(asked + ".");
    }

    /**
     * Returns the function that a path names; without a path, the only one of the model.
     *
     * @throws IllegalArgumentException if there is none, or there are several
     */
    static ModelFunction find(String model, List<ModelFunction> functions, List<String> path) {
        String name = String.join(".", path);
        List<ModelFunction> matches =
                functions.stream().filter(each -> each.isNamed(name)).toList();
        if (matches.size() == 1) {
            return matches.getFirst();
        }
        List<String> names = functions.stream().map(ModelFunction::name).toList();
        throw new IllegalArgumentException(
                matches.isEmpty() && !path.isEmpty()
                        ? "model '%s' has no function '%s'; there are %s"
                                .formatted(model, name, names)
                        : "model '%s' has several functions; name one of %s"
                                .formatted(model, names));
    }

    /**
     * Returns the result for the values of arguments that are set.
     *
     * @param given texts or tensors have been read already
     * @param missing the value of the others, if any
     * @throws IllegalArgumentException if an argument that the model needs has no value
     */
    DenseTensor evaluate(Map<String, DenseTensor> given, OptionalDouble missing) {
        Map<String, DenseTensor> values = new HashMap<>(given);
        arguments.forEach((name, type) -> {
            if (values.containsKey(name)) {
                return;
            }
            if (missing.isPresent()) {
                values.put(name, type.filled(missing.getAsDouble()));
            } else if (needsAll) {
                throw new IllegalArgumentException(
                        "Argument '%s' must be bound to a value of type %s".formatted(name, type));
            }
        });
        return evaluation.of(values);
    }

    /**
     * Returns the value of an argument in a text; for a number that cannot be read, the number that
     * rank expressions compare for the text.
     *
     * @throws IllegalArgumentException if the text is no value of that type
     */
    static DenseTensor value(String name, ArgumentType type, String text) {
        try {
            return type.parse(text);
        } catch (TensorSyntaxException e) {
            if (type.sizes().isEmpty()) {
                return type.filled(StringValue.of(text));
            }
            throw new IllegalArgumentException(
                    "Argument '%s' must be bound to a value of type %s: %s"
                            .formatted(name, type, e.getMessage()),
                    e);
        }
    }
}
