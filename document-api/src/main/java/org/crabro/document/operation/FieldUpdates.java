package org.crabro.document.operation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.jspecify.annotations.Nullable;

/**
 * Executes updates.
 *
 * {@snippet :
 * Map<String, FieldValue> after = FieldUpdates.apply(updates, type, before);
 * }
 *
 * <p>An update of a missing part does nothing: an element after the end of an array, or the weight
 * of a missing element. An assignment or computation creates the keys of maps and the structs on
 * its path, but never elements of arrays.
 */
public final class FieldUpdates {
    private FieldUpdates() {}

    /**
     * Returns the fields of a document after the updates were executed in order.
     *
     * @param type of the document; updates of fields that it does not have are ignored
     * @param before not changed
     * @throws IllegalArgumentException if an update or a value in it does not match the type of its
     *     field, or an update of every element writes more than 128 MiB
     */
    public static Map<String, FieldValue> apply(
            List<FieldUpdate> updates, DocumentType type, Map<String, FieldValue> before) {
        var after = new LinkedHashMap<>(before);
        for (FieldUpdate update : updates) {
            Field field = type.field(update.field()).orElse(null);
            if (field != null) {
                FieldValue value = after.get(field.name());
                RepeatedChanges.check(update, value);
                FieldValue changed = changed(value, field.type(), update, 0);
                if (changed == null) {
                    after.remove(field.name());
                } else {
                    after.put(field.name(), changed);
                }
            }
        }
        return after;
    }

    /**
     * Returns a value after an update, from step {@code at} of its path; the same object if nothing
     * changes, null if the value is removed.
     */
    private static @Nullable FieldValue changed(
            @Nullable FieldValue value, FieldType type, FieldUpdate update, int at) {
        if (at == update.path().size()) {
            return ValueChanges.changed(value, type, update.change());
        }
        return switch (update.path().get(at)) {
            case UpdateStep.Member(var name) -> member(value, type, name, update, at + 1);
            case UpdateStep.Index(int index) -> element(value, type, index, update, at + 1);
            case UpdateStep.Key(var key) -> entry(value, type, key, update, at + 1);
            case UpdateStep.Weight weight -> weight(value, type, weight, update, at + 1);
            case UpdateStep.Every every -> every(value, type, every, update, at + 1);
        };
    }

    private static @Nullable FieldValue member(
            @Nullable FieldValue value, FieldType type, String name, FieldUpdate update, int at) {
        if (!(type instanceof FieldType.StructOf struct)) {
            throw ValueChanges.unfit("a struct", type);
        }
        Field field = struct.field(name).orElse(null);
        if (field == null) {
            return value;
        }
        Map<String, FieldValue> fields = ValueChanges.fields(value);
        FieldValue before = fields.get(name);
        FieldValue after = changed(before, field.type(), update, at);
        if (Objects.equals(after, before)) {
            return value;
        }
        return new FieldValue.StructValue(with(fields, name, after));
    }

    private static <K> Map<K, FieldValue> with(
            Map<K, FieldValue> entries, K key, @Nullable FieldValue value) {
        var changed = new LinkedHashMap<>(entries);
        if (value == null) {
            changed.remove(key);
        } else {
            changed.put(key, value);
        }
        return changed;
    }

    private static @Nullable FieldValue element(
            @Nullable FieldValue value, FieldType type, int index, FieldUpdate update, int at) {
        if (!(type instanceof FieldType.ArrayOf(var elementType))) {
            throw ValueChanges.unfit("an array", type);
        }
        List<FieldValue> elements = ValueChanges.elements(value);
        if (index < 0 || index >= elements.size()) {
            return value;
        }
        FieldValue before = elements.get(index);
        FieldValue after = changed(before, elementType, update, at);
        if (Objects.equals(after, before)) {
            return value;
        }
        var changed = new ArrayList<>(elements);
        if (after == null) {
            changed.remove(index);
        } else {
            changed.set(index, after);
        }
        return new FieldValue.ArrayValue(changed);
    }

    private static @Nullable FieldValue entry(
            @Nullable FieldValue value,
            FieldType type,
            FieldValue key,
            FieldUpdate update,
            int at) {
        if (!(type instanceof FieldType.MapOf(_, var valueType))) {
            throw ValueChanges.unfit("a map", type);
        }
        Map<FieldValue, FieldValue> entries = ValueChanges.entries(value);
        FieldValue before = entries.get(key);
        FieldValue after = changed(before, valueType, update, at);
        if (Objects.equals(after, before)) {
            return value;
        }
        return new FieldValue.MapValue(with(entries, key, after));
    }

    private static @Nullable FieldValue weight(
            @Nullable FieldValue value,
            FieldType type,
            UpdateStep.Weight step,
            FieldUpdate update,
            int at) {
        if (!(type instanceof FieldType.WeightedSetOf)) {
            throw ValueChanges.unfit("a weighted set", type);
        }
        Map<FieldValue, Integer> weights = ValueChanges.weights(value);
        Integer before = weights.get(step.element());
        if (before == null && (!step.create() || update.change() instanceof FieldChange.Clear)) {
            return value;
        }
        FieldValue after =
                changed(
                        new FieldValue.IntValue(before == null ? 0 : before),
                        FieldType.Primitive.INT,
                        update,
                        at);
        var changed = new LinkedHashMap<>(weights);
        if (after instanceof FieldValue.IntValue(int weight)
                && !(weight == 0 && step.removeIfZero())) {
            changed.put(step.element(), weight);
        } else {
            changed.remove(step.element());
        }
        return new FieldValue.WeightedSetValue(changed);
    }

    private static @Nullable FieldValue every(
            @Nullable FieldValue value,
            FieldType type,
            UpdateStep.Every step,
            FieldUpdate update,
            int at) {
        if (value == null) {
            return null;
        }
        return switch (type) {
            case FieldType.ArrayOf(var elementType) -> {
                var after = new ArrayList<FieldValue>();
                for (FieldValue element : ValueChanges.elements(value)) {
                    FieldValue changed = changed(element, elementType, update, at);
                    if (changed != null) {
                        after.add(changed);
                    }
                }
                yield new FieldValue.ArrayValue(after);
            }
            case FieldType.MapOf(_, var valueType) -> {
                var after = new LinkedHashMap<FieldValue, FieldValue>();
                ValueChanges.entries(value)
                        .forEach((key, before) -> {
                            FieldValue changed = changed(before, valueType, update, at);
                            if (changed != null) {
                                after.put(key, changed);
                            }
                        });
                yield new FieldValue.MapValue(after);
            }
            case FieldType.WeightedSetOf _ -> {
                var after = new LinkedHashMap<FieldValue, Integer>();
                ValueChanges.weights(value)
                        .forEach((element, before) -> {
                            FieldValue changed =
                                    changed(
                                            new FieldValue.IntValue(before),
                                            FieldType.Primitive.INT,
                                            update,
                                            at);
                            if (changed instanceof FieldValue.IntValue(int weight)
                                    && !(weight == 0 && step.removeIfZero())) {
                                after.put(element, weight);
                            }
                        });
                yield new FieldValue.WeightedSetValue(after);
            }
            case FieldType.Primitive _,
                    FieldType.StructOf _,
                    FieldType.ReferenceOf _,
                    FieldType.TensorOf _ ->
                    throw ValueChanges.unfit("an array, a map or a weighted set", type);
        };
    }
}
