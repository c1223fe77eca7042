package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.FieldValue;

/** Takes parts out of values, by paths such as {@code name} or {@code value.name}. */
final class ValuePaths {
    private static final String KEY = "key";
    private static final String VALUE = "value";

    private ValuePaths() {}

    /**
     * Returns the part of a value; of a collection, an array of the parts of all elements. Empty if
     * no element has it.
     *
     * @param path empty for the value itself
     */
    static Optional<FieldValue> at(FieldValue value, String path) {
        if (path.isEmpty()) {
            return Optional.of(value);
        }
        var values = new ArrayList<FieldValue>();
        add(value, path, values);
        return switch (values.size()) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(values.getFirst());
            default -> Optional.of(new FieldValue.ArrayValue(values));
        };
    }

    private static void add(FieldValue value, String path, List<FieldValue> into) {
        if (path.isEmpty()) {
            into.add(value);
            return;
        }
        String tail = tail(path);
        switch (value) {
            case FieldValue.ArrayValue(var elements) ->
                    elements.forEach(element -> add(element, path, into));
            case FieldValue.StructValue(var members) -> {
                FieldValue member = members.get(first(path));
                if (member != null) {
                    add(member, tail, into);
                }
            }
            case FieldValue.MapValue(var entries) -> {
                boolean ofKeys = first(path).equals(KEY);
                entries.forEach((key, each) -> add(ofKeys ? key : each, tail, into));
            }
            default -> {
                // No parts.
            }
        }
    }

    /**
     * Returns a value with only the given parts. Elements of arrays stay even without a part, and
     * entries of maps keep their keys. A struct without a part is empty.
     */
    static Optional<FieldValue> only(FieldValue value, List<String> paths) {
        FieldValue selected = selected(value, paths);
        return selected instanceof FieldValue.StructValue(var members) && members.isEmpty()
                ? Optional.empty()
                : Optional.of(selected);
    }

    private static FieldValue selected(FieldValue value, List<String> paths) {
        if (paths.contains("")) {
            return value;
        }
        return switch (value) {
            case FieldValue.ArrayValue(var elements) ->
                    new FieldValue.ArrayValue(
                            elements.stream().map(element -> selected(element, paths)).toList());
            case FieldValue.StructValue(var members) -> {
                var some = new LinkedHashMap<String, FieldValue>();
                members.forEach((name, member) -> {
                    List<String> inside = inside(name, paths);
                    if (!inside.isEmpty()) {
                        some.put(name, selected(member, inside));
                    }
                });
                yield new FieldValue.StructValue(some);
            }
            case FieldValue.MapValue(var entries) -> entries(entries, inside(VALUE, paths));
            default -> value;
        };
    }

    private static FieldValue entries(Map<FieldValue, FieldValue> entries, List<String> inside) {
        if (inside.isEmpty()) {
            return new FieldValue.ArrayValue(
                    entries.keySet().stream()
                            .<FieldValue>map(key -> new FieldValue.StructValue(Map.of(KEY, key)))
                            .toList());
        }
        var some = new LinkedHashMap<FieldValue, FieldValue>();
        entries.forEach((key, value) -> some.put(key, selected(value, inside)));
        return new FieldValue.MapValue(some);
    }

    /** Returns the rest of those paths that begin with {@code name}. */
    private static List<String> inside(String name, List<String> paths) {
        return paths.stream()
                .filter(path -> first(path).equals(name))
                .map(ValuePaths::tail)
                .toList();
    }

    private static String first(String path) {
        int dot = path.indexOf('.');
        return dot < 0 ? path : path.substring(0, dot);
    }

    private static String tail(String path) {
        int dot = path.indexOf('.');
        return dot < 0 ? "" : path.substring(dot + 1);
    }

    /** Returns all texts of a value in order, numbers among them, without keys of maps. */
    static List<String> texts(FieldValue value) {
        var texts = new ArrayList<String>();
        addTexts(value, texts);
        return texts;
    }

    private static void addTexts(FieldValue value, List<String> into) {
        switch (value) {
            case FieldValue.StringValue(var text) -> into.add(text);
            case FieldValue.BoolValue(var bool) -> into.add(String.valueOf(bool));
            case FieldValue.IntValue(var number) -> into.add(String.valueOf(number));
            case FieldValue.LongValue(var number) -> into.add(String.valueOf(number));
            case FieldValue.FloatValue(var number) -> into.add(String.valueOf(number));
            case FieldValue.DoubleValue(var number) -> into.add(String.valueOf(number));
            case FieldValue.ArrayValue(var elements) ->
                    elements.forEach(element -> addTexts(element, into));
            case FieldValue.WeightedSetValue(var weights) ->
                    weights.keySet().forEach(element -> addTexts(element, into));
            case FieldValue.MapValue(var entries) ->
                    entries.values().forEach(entry -> addTexts(entry, into));
            case FieldValue.StructValue(var members) ->
                    members.values().forEach(member -> addTexts(member, into));
            case FieldValue.TensorValue _, FieldValue.MixedTensorValue _ -> {
                // No text.
            }
        }
    }
}
