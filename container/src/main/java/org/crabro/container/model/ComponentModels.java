package org.crabro.container.model;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.crabro.component.FunctionEvaluator;
import org.crabro.component.ModelsEvaluator;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorSyntaxException;

/** The models of an application, as its components evaluate them. Safe for use by many threads. */
record ComponentModels(ApplicationModels all) implements ModelsEvaluator {
    @Override
    public SortedSet<String> models() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(all.names()));
    }

    @Override
    public FunctionEvaluator evaluatorOf(String model, String... names) {
        List<ModelFunction> functions =
                all.functions(model)
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "there is no model '%s'; there are %s"
                                                .formatted(model, all.names())));
        return new Once(ModelFunction.find(model, functions, List.of(names)));
    }

    /** One evaluation. */
    private static final class Once implements FunctionEvaluator {
        private final ModelFunction function;
        private final Map<String, DenseTensor> values = new HashMap<>();
        private OptionalDouble missing = OptionalDouble.empty();
        private boolean isDone;

        Once(ModelFunction function) {
            this.function = function;
        }

        @Override
        public SortedMap<String, String> arguments() {
            SortedMap<String, String> types = new TreeMap<>();
            function.arguments().forEach((name, type) -> types.put(name, type.toString()));
            return Collections.unmodifiableSortedMap(types);
        }

        @Override
        public FunctionEvaluator bind(String name, Tensor value) {
            ArgumentType type = type(name);
            if (!(value instanceof DenseTensor dense)) {
                throw new IllegalArgumentException(
                        "Argument '%s' must be bound to a value of type %s and not of type %s"
                                .formatted(name, type, value.type()));
            }
            try {
                values.put(name, type.accepted(dense));
                return this;
            } catch (TensorSyntaxException e) {
                throw new IllegalArgumentException(
                        "Argument '%s': %s".formatted(name, e.getMessage()), e);
            }
        }

        @Override
        public FunctionEvaluator bind(String name, double value) {
            ArgumentType type = type(name);
            if (!type.sizes().isEmpty()) {
                throw new IllegalArgumentException(
                        "Argument '%s' must be bound to a value of type %s and not to a number"
                                .formatted(name, type));
            }
            values.put(name, type.filled(value));
            return this;
        }

        @Override
        public FunctionEvaluator bind(String name, String value) {
            values.put(name, ModelFunction.value(name, type(name), value));
            return this;
        }

        @Override
        public FunctionEvaluator setMissingValue(double value) {
            requireNotDone();
            missing = OptionalDouble.of(value);
            return this;
        }

        @Override
        public Tensor evaluate() {
            requireNotDone();
            isDone = true;
            try {
                return function.evaluate(values, missing);
            } catch (IllegalArgumentException e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
        }

        private ArgumentType type(String name) {
            requireNotDone();
            ArgumentType type = function.arguments().get(name);
            if (type == null) {
                throw new IllegalArgumentException(
                        "there is no argument '%s'; there are %s"
                                .formatted(name, function.arguments().keySet()));
            }
            return type;
        }

        private void requireNotDone() {
            if (isDone) {
                throw new IllegalStateException("the function was evaluated already");
            }
        }
    }
}
