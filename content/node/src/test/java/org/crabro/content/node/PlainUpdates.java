package org.crabro.content.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.tensor.CellType;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** Makes random changes of plain values, and returns updates that make the same changes. */
final class PlainUpdates {
    /** Larger numbers are replaced and not computed with, so that doubles are exact. */
    private static final long LARGE = 1L << 40;

    private final Random random;
    private final PlainValues values;

    PlainUpdates(Random random, PlainValues values) {
        this.random = random;
        this.values = values;
    }

    /** A value after a change, null if it is then unset, and the member that makes the change. */
    private record Changed(@Nullable Object value, String path, String operation) {}

    /** Changes fields in place, and returns the members of the update's {@code fields}. */
    String change(DocumentType type, Map<String, Object> fields) {
        var members = new ArrayList<String>();
        var left = new ArrayList<>(type.fields());
        for (int i = random.nextInt(3); i >= 0 && !left.isEmpty(); i--) {
            Field field = left.remove(random.nextInt(left.size()));
            Changed changed = changed(field.type(), fields.get(field.name()), field.name(), 0);
            set(fields, field.name(), changed.value);
            members.add(PlainValues.quoted(changed.path) + ":{" + changed.operation + "}");
        }
        return String.join(",", members);
    }

    private static void set(Map<String, Object> in, String name, @Nullable Object value) {
        if (value == null) {
            in.remove(name);
        } else {
            in.put(name, value);
        }
    }

    private Changed changed(FieldType type, @Nullable Object value, String path, int depth) {
        if (random.nextInt(3) > 0) {
            switch (type) {
                case FieldType.StructOf struct when !struct.equals(FieldType.StructOf.POSITION) -> {
                    return member(struct, value, path, depth);
                }
                case FieldType.ArrayOf(var element) -> {
                    return element(element, value, path, depth);
                }
                case FieldType.MapOf(var key, var mapped) -> {
                    return entry(key, mapped, value, path, depth);
                }
                case FieldType.WeightedSetOf(var element) when random.nextBoolean() -> {
                    return weight(element, value, path);
                }
                default -> {}
            }
        }
        return here(type, value, path, depth);
    }

    private Changed member(
            FieldType.StructOf struct, @Nullable Object value, String path, int depth) {
        Field field = struct.fields().get(random.nextInt(struct.fields().size()));
        var members = value == null ? new TreeMap<String, Object>() : PlainValues.map(value);
        Object before = members.get(field.name());
        Changed inner = changed(field.type(), before, path + "." + field.name(), depth + 1);
        return around(value, members, field.name(), before, inner);
    }

    /** A change that leaves a missing value missing creates no parents. */
    private static Changed around(
            @Nullable Object value,
            Map<String, Object> entries,
            String key,
            @Nullable Object before,
            Changed inner) {
        if (before == null && inner.value == null) {
            return new Changed(value, inner.path, inner.operation);
        }
        set(entries, key, inner.value);
        return new Changed(entries, inner.path, inner.operation);
    }

    private Changed element(FieldType type, @Nullable Object value, String path, int depth) {
        int index = random.nextInt(4);
        List<Object> elements = value == null ? new ArrayList<>() : PlainValues.list(value);
        String at = path + "[" + index + "]";
        Object before = index < elements.size() ? elements.get(index) : null;
        Object copy = before == null ? null : PlainValues.copy(before);
        Changed inner = changed(type, copy, at, depth + 1);
        if (before == null) {
            return new Changed(value, inner.path, inner.operation);
        }
        if (inner.value == null) {
            elements.remove(index);
        } else {
            elements.set(index, inner.value);
        }
        return new Changed(elements, inner.path, inner.operation);
    }

    private Changed entry(
            FieldType keyType, FieldType type, @Nullable Object value, String path, int depth) {
        String key = values.key(keyType);
        var entries = value == null ? new TreeMap<String, Object>() : PlainValues.map(value);
        boolean isQuoted = random.nextBoolean() || key.contains("}");
        String at = path + "{" + (isQuoted ? '"' + key + '"' : key) + "}";
        Object before = entries.get(key);
        Changed inner = changed(type, before, at, depth + 1);
        return around(value, entries, key, before, inner);
    }

    private Changed weight(FieldType elementType, @Nullable Object value, String path) {
        String key = values.key(elementType);
        var weights = value == null ? new TreeMap<String, Object>() : PlainValues.map(value);
        long weight = random.nextInt(5);
        String at = path + "{" + key + "}";
        return switch (random.nextInt(3)) {
            case 0 -> {
                boolean isThere = weights.remove(key) != null;
                yield new Changed(isThere ? weights : value, at, "\"remove\":0");
            }
            case 1 -> {
                weights.put(key, weight);
                yield new Changed(weights, at, "\"assign\":" + weight);
            }
            default -> {
                weights.merge(key, weight, (old, more) -> (Long) old + (Long) more);
                yield new Changed(weights, at, "\"increment\":" + weight);
            }
        };
    }

    private Changed here(FieldType type, @Nullable Object value, String path, int depth) {
        boolean isField = depth == 0;
        int chance = random.nextInt(8);
        if (chance == 0) {
            return new Changed(
                    null,
                    path,
                    isField || random.nextBoolean() ? "\"assign\":null" : "\"remove\":0");
        }
        if (chance > 2) {
            switch (type) {
                case Primitive primitive when isComputed(primitive, value) -> {
                    return computed(primitive, value, path);
                }
                case FieldType.ArrayOf(var element) -> {
                    return array(element, value, path, isField);
                }
                case FieldType.WeightedSetOf(var element) when isField -> {
                    return weightedSet(element, value, path);
                }
                case FieldType.TensorOf(var tensor) when isField -> {
                    return tensor(tensor, value, path);
                }
                default -> {}
            }
        }
        Object assigned = values.value(type);
        return new Changed(assigned, path, "\"assign\":" + values.json(type, assigned));
    }

    private static boolean isComputed(Primitive type, @Nullable Object value) {
        return type.isNumber() && !(value instanceof Long number && Math.abs(number) >= LARGE);
    }

    private Changed computed(Primitive type, @Nullable Object value, String path) {
        int operand = random.nextInt(-3, 4);
        String name =
                List.of("increment", "decrement", "multiply", "divide").get(random.nextInt(4));
        String operation = "\"%s\":%d".formatted(name, operand);
        if (name.equals("divide") && operand == 0) {
            return new Changed(value, path, operation);
        }
        if (type.stored() == Primitive.FLOAT || type == Primitive.DOUBLE) {
            double before = value == null ? 0 : (Double) value;
            double after =
                    switch (name) {
                        case "increment" -> before + operand;
                        case "decrement" -> before - operand;
                        case "multiply" -> before * operand;
                        default -> before / operand;
                    };
            return new Changed(
                    type == Primitive.DOUBLE ? after : (double) (float) after, path, operation);
        }
        long before = value == null ? 0 : (Long) value;
        long after =
                switch (name) {
                    case "increment" -> before + operand;
                    case "decrement" -> before - operand;
                    case "multiply" -> before * operand;
                    default -> before / operand;
                };
        long wrapped =
                switch (type) {
                    case BYTE -> (byte) after;
                    case INT -> (int) after;
                    default -> after;
                };
        return new Changed(wrapped, path, operation);
    }

    private Changed array(FieldType type, @Nullable Object value, String path, boolean isField) {
        List<Object> elements = value == null ? new ArrayList<>() : PlainValues.list(value);
        int index = random.nextInt(4);
        return switch (isField ? random.nextInt(3) : 0) {
            case 1 -> {
                List<Object> gone = new ArrayList<>();
                gone.add(values.value(type));
                if (index < elements.size()) {
                    gone.add(PlainValues.copy(elements.get(index)));
                }
                String operation = "\"remove\":" + values.json(new FieldType.ArrayOf(type), gone);
                if (value == null) {
                    yield new Changed(null, path, operation);
                }
                elements.removeIf(gone::contains);
                yield new Changed(elements, path, operation);
            }
            case 2 -> {
                boolean removes = random.nextInt(4) == 0;
                Object assigned = values.value(type);
                if (index < elements.size()) {
                    if (removes) {
                        elements.remove(index);
                    } else {
                        elements.set(index, assigned);
                    }
                }
                yield new Changed(
                        value == null ? null : elements,
                        path,
                        "\"match\":{\"element\":%d,\"assign\":%s}"
                                .formatted(index, removes ? "null" : values.json(type, assigned)));
            }
            default -> {
                List<Object> added = List.of(values.value(type), values.value(type));
                elements.addAll(added);
                yield new Changed(
                        elements,
                        path,
                        "\"add\":" + values.json(new FieldType.ArrayOf(type), added));
            }
        };
    }

    private Changed weightedSet(FieldType type, @Nullable Object value, String path) {
        String key = values.key(type);
        String name = PlainValues.quoted(key);
        var weights = value == null ? new TreeMap<String, Object>() : PlainValues.map(value);
        long weight = random.nextInt(5);
        return switch (random.nextInt(3)) {
            case 0 -> {
                weights.remove(key);
                yield new Changed(
                        value == null ? null : weights, path, "\"remove\":{%s:0}".formatted(name));
            }
            case 1 -> {
                weights.computeIfPresent(key, (_, old) -> (Long) old - weight);
                yield new Changed(
                        value == null ? null : weights,
                        path,
                        "\"match\":{\"element\":%s,\"decrement\":%d}".formatted(name, weight));
            }
            default -> {
                weights.put(key, weight);
                yield new Changed(weights, path, "\"add\":{%s:%d}".formatted(name, weight));
            }
        };
    }

    private Changed tensor(TensorType type, @Nullable Object value, String path) {
        Map<String, Object> cells = value == null ? new TreeMap<>() : PlainValues.map(value);
        Map<String, String> labels = values.labels(type);
        List<String> subspace = PlainValues.subspace(type, labels);
        String address = subspace.get(random.nextInt(subspace.size()));
        double operand = values.cell(type.cellType());
        return switch (type.isDense() ? 2 : random.nextInt(4)) {
            case 0 -> {
                subspace.forEach(each -> cells.put(each, each.equals(address) ? operand : 0.0));
                yield new Changed(
                        cells, path, "\"add\":{\"cells\":[%s]}".formatted(cell(address, operand)));
            }
            case 1 -> {
                // A subset of the labels selects every subspace that has them.
                var named = new TreeMap<>(labels);
                if (named.size() > 1 && random.nextBoolean()) {
                    named.pollFirstEntry();
                }
                cells.keySet()
                        .removeIf(each ->
                                named.entrySet().stream()
                                        .allMatch(label ->
                                                (" " + each)
                                                        .contains(
                                                                " "
                                                                        + label.getKey()
                                                                        + "="
                                                                        + label.getValue()
                                                                        + " ")));
                String removed =
                        named.entrySet().stream()
                                .map(each ->
                                        "\"%s\":\"%s\"".formatted(each.getKey(), each.getValue()))
                                .collect(Collectors.joining(",", "{", "}"));
                yield new Changed(
                        value == null ? null : cells,
                        path,
                        "\"remove\":{\"addresses\":[%s]}".formatted(removed));
            }
            default -> {
                yield modified(type, value, cells, subspace, address, operand, path);
            }
        };
    }

    private Changed modified(
            TensorType type,
            @Nullable Object value,
            Map<String, Object> cells,
            List<String> subspace,
            String address,
            double operand,
            String path) {
        boolean creates = random.nextBoolean();
        String name = List.of("replace", "add", "multiply").get(random.nextInt(3));
        // Unlimited products and sums would exceed the exact range of the cell types.
        double number =
                name.equals("multiply")
                        ? random.nextInt(-1, 2)
                        : name.equals("add") && isFar(cells.get(address)) ? 0 : operand;
        String operation =
                "\"modify\":{\"operation\":\"%s\",\"create\":%b,\"cells\":[%s]}"
                        .formatted(name, creates, cell(address, number));
        if (!cells.containsKey(address)) {
            if (!creates) {
                return new Changed(value, path, operation);
            }
            double filled = name.equals("multiply") && !type.isDense() ? 1 : 0;
            subspace.forEach(each -> cells.put(each, filled));
        }
        double before = (Double) Objects.requireNonNull(cells.get(address));
        double after =
                switch (name) {
                    case "replace" -> number;
                    case "add" -> before + number;
                    default -> before * number;
                };
        cells.put(address, type.cellType() == CellType.INT8 ? after + 0.0 : after);
        return new Changed(cells, path, operation);
    }

    private static boolean isFar(@Nullable Object cell) {
        return cell != null && Math.abs((Double) cell) > 20;
    }

    private static String cell(String address, double value) {
        return "{\"address\":%s,\"value\":%s}".formatted(PlainValues.address(address), value);
    }
}
