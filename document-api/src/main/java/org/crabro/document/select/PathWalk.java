package org.crabro.document.select;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.jspecify.annotations.Nullable;

/** Follows a path from the value of a field to the values at its end. */
final class PathWalk {
    private final List<PathStep> steps;
    private final BiConsumer<Bindings, Value> action;

    /**
     * @param steps checked against the field's type
     * @param action receives each value; more than one only if the path binds a variable
     */
    PathWalk(List<PathStep> steps, BiConsumer<Bindings, Value> action) {
        this.steps = steps;
        this.action = action;
    }

    void walk(Optional<FieldValue> value, FieldType type, Bindings bound) {
        walk(value.orElse(null), type, 0, bound);
    }

    private void walk(@Nullable FieldValue value, FieldType type, int at, Bindings bound) {
        if (value == null) {
            action.accept(bound, Value.NOTHING);
            return;
        }
        if (at == steps.size()) {
            action.accept(bound, value(value, type));
            return;
        }
        switch (steps.get(at)) {
            case PathStep.Member(var name) -> member(value, type, name, at, bound);
            case PathStep.Index(var index) -> element(value, type, index, at, bound);
            case PathStep.Key(var key) -> entry(value, type, key, at, bound);
            case PathStep.Keys() -> {
                var keys =
                        new ArrayList<FieldValue>(((FieldValue.MapValue) value).values().keySet());
                together(keys, ((FieldType.MapOf) type).key(), at + 1, bound);
            }
            case PathStep.Values() -> {
                var values = new ArrayList<>(((FieldValue.MapValue) value).values().values());
                together(values, ((FieldType.MapOf) type).value(), at + 1, bound);
            }
            case PathStep.Each(var variable) -> each(value, type, variable, at, bound);
        }
    }

    private void member(FieldValue value, FieldType type, String name, int at, Bindings bound) {
        switch (type) {
            case FieldType.StructOf struct -> {
                FieldValue member = ((FieldValue.StructValue) value).fields().get(name);
                FieldType memberType = struct.field(name).orElseThrow().type();
                walk(member, memberType, at + 1, bound);
            }
            case FieldType.ArrayOf(var element) ->
                    together(((FieldValue.ArrayValue) value).elements(), element, at, bound);
            default -> throw new IllegalStateException(type.text() + " was not checked");
        }
    }

    private void element(FieldValue value, FieldType type, int index, int at, Bindings bound) {
        List<FieldValue> elements = ((FieldValue.ArrayValue) value).elements();
        FieldType element = ((FieldType.ArrayOf) type).element();
        walk(index < elements.size() ? elements.get(index) : null, element, at + 1, bound);
    }

    private void entry(FieldValue value, FieldType type, FieldValue key, int at, Bindings bound) {
        switch (value) {
            case FieldValue.MapValue(var values) ->
                    walk(values.get(key), ((FieldType.MapOf) type).value(), at + 1, bound);
            case FieldValue.WeightedSetValue(var weights) -> {
                Integer weight = weights.get(key);
                walk(
                        weight == null ? null : new FieldValue.IntValue(weight),
                        FieldType.Primitive.INT,
                        at + 1,
                        bound);
            }
            default -> throw new IllegalStateException(type.text() + " was not checked");
        }
    }

    private void each(FieldValue value, FieldType type, String variable, int at, Bindings bound) {
        switch (value) {
            case FieldValue.ArrayValue(var elements) -> {
                FieldType element = ((FieldType.ArrayOf) type).element();
                for (int i = 0; i < elements.size(); i++) {
                    bind(variable, new Value.Whole(i), elements.get(i), element, at, bound);
                }
            }
            case FieldValue.MapValue(var values) -> {
                FieldType.MapOf map = (FieldType.MapOf) type;
                for (Map.Entry<FieldValue, FieldValue> each : values.entrySet()) {
                    Value key = value(each.getKey(), map.key());
                    bind(variable, key, each.getValue(), map.value(), at, bound);
                }
            }
            case FieldValue.WeightedSetValue(var weights) -> {
                FieldType element = ((FieldType.WeightedSetOf) type).element();
                for (Map.Entry<FieldValue, Integer> each : weights.entrySet()) {
                    FieldValue weight = new FieldValue.IntValue(each.getValue());
                    Value key = value(each.getKey(), element);
                    bind(variable, key, weight, FieldType.Primitive.INT, at, bound);
                }
            }
            default -> throw new IllegalStateException(type.text() + " was not checked");
        }
    }

    /** A bound variable selects only its element. */
    private void bind(
            String variable, Value key, FieldValue value, FieldType type, int at, Bindings bound) {
        if (!bound.has(variable)) {
            walk(value, type, at + 1, bound.with(variable, key));
        } else if (bound.value(variable).equals(key)) {
            walk(value, type, at + 1, bound);
        }
    }

    /** Collects the values at the ends of the paths through several values. */
    private void together(List<FieldValue> values, FieldType type, int at, Bindings bound) {
        var ends = new ArrayList<Value>();
        var walk = new PathWalk(steps, (_, value) -> addTo(ends, value));
        for (FieldValue each : values) {
            walk.walk(each, type, at, bound);
        }
        action.accept(bound, collection(ends));
    }

    private static void addTo(List<Value> ends, Value value) {
        switch (value) {
            case Value.Nothing _ -> {}
            case Value.Many(var elements) -> ends.addAll(elements);
            default -> ends.add(value);
        }
    }

    private static Value collection(List<Value> elements) {
        return elements.isEmpty() ? Value.NOTHING : new Value.Many(elements);
    }

    /** Converts a field's value to a value of the selection language. */
    private static Value value(FieldValue value, FieldType type) {
        return switch (value) {
            case FieldValue.StringValue(var text) ->
                    type instanceof FieldType.ReferenceOf || type.isText()
                            ? new Value.Text(text)
                            : Value.OPAQUE;
            case FieldValue.BoolValue(var bool) -> new Value.Whole(bool ? 1 : 0);
            case FieldValue.IntValue(var number) -> new Value.Whole(number);
            case FieldValue.LongValue(var number) -> new Value.Whole(number);
            case FieldValue.FloatValue(var number) -> new Value.Real(number);
            case FieldValue.DoubleValue(var number) -> new Value.Real(number);
            case FieldValue.ArrayValue(var elements) -> {
                FieldType element = ((FieldType.ArrayOf) type).element();
                yield collection(elements.stream().map(each -> value(each, element)).toList());
            }
            case FieldValue.WeightedSetValue(var weights) -> {
                FieldType element = ((FieldType.WeightedSetOf) type).element();
                yield collection(
                        weights.keySet().stream().map(each -> value(each, element)).toList());
            }
            case FieldValue.MapValue(var values) -> {
                FieldType.MapOf map = (FieldType.MapOf) type;
                var all = new ArrayList<Value>();
                values.keySet().forEach(key -> all.add(value(key, map.key())));
                values.values().forEach(each -> addTo(all, value(each, map.value())));
                yield collection(all);
            }
            case FieldValue.StructValue(var fields) ->
                    fields.isEmpty() ? Value.NOTHING : Value.OPAQUE;
            case FieldValue.TensorValue _, FieldValue.MixedTensorValue _ -> Value.OPAQUE;
        };
    }
}
