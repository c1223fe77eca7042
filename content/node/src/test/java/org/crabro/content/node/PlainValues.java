package org.crabro.content.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Random field values as Java numbers, texts, lists and maps, and as JSON.
 *
 * <p>Numbers are {@code Long} and {@code Double}; maps, weighted sets and structs are {@code
 * TreeMap} by the text of the key; a tensor is a {@code TreeMap} of cells by their addresses,
 * without those of missing subspaces.
 */
final class PlainValues {
    private static final List<String> TEXTS =
            List.of("", "a", "a b", "größer", "\"q\" \\", "x\ny\t", "\ud83d\ude00", "k{1}.m");
    private static final List<String> KEYS = List.of("a", "b", "x.y", "c d");
    private static final double[] NUMBERS = {0, -0.0, 1, -1.5, 0.1, 1e21, 4.9e-324, 1e-3};
    private static final List<String> LABELS = List.of("r", "s", "0", "cells");

    private final Random random;

    PlainValues(Random random) {
        this.random = random;
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Returns a random field type: of any kind at depth 3, and primitive at depth 0. */
    FieldType type(int depth) {
        return switch (random.nextInt(depth == 0 ? 8 : depth == 3 ? 14 : 12)) {
            case 0, 1 -> Primitive.INT;
            case 2 -> Primitive.STRING;
            case 3 -> Primitive.DOUBLE;
            case 4 -> Primitive.FLOAT;
            case 5 -> Primitive.LONG;
            case 6 -> Primitive.BYTE;
            case 7 -> Primitive.BOOL;
            case 8 -> new FieldType.ArrayOf(type(depth - 1));
            case 9 -> new FieldType.MapOf(keyType(), type(depth - 1));
            case 10 ->
                    random.nextInt(4) == 0
                            ? FieldType.StructOf.POSITION
                            : new FieldType.StructOf(
                                    "s" + random.nextInt(1_000),
                                    List.of(
                                            new Field("a", type(depth - 1), true),
                                            new Field("b", Primitive.INT, true),
                                            new Field("c", type(0), true)));
            case 11 -> new FieldType.WeightedSetOf(keyType());
            case 12 -> oneOf(List.of(Primitive.RAW, Primitive.URI, new FieldType.ReferenceOf("t")));
            default ->
                    new FieldType.TensorOf(
                            TensorType.parse(
                                    oneOf(
                                            List.of(
                                                    "tensor<float>(x[3])",
                                                    "tensor(x[2],y[2])",
                                                    "tensor<int8>(x[4])",
                                                    "tensor<bfloat16>(x[2])",
                                                    "tensor()",
                                                    "tensor(a{})",
                                                    "tensor<int8>(a{},b{})",
                                                    "tensor<float>(a{},x[2])",
                                                    "tensor<bfloat16>(a{},b{},x[2])"))));
        };
    }

    private FieldType keyType() {
        return oneOf(List.of(Primitive.STRING, Primitive.INT, Primitive.LONG));
    }

    /** Returns a value. */
    Object value(FieldType type) {
        return switch (type) {
            case Primitive primitive -> primitive(primitive);
            case FieldType.ArrayOf(var element) ->
                    IntStream.range(0, random.nextInt(4))
                            .mapToObj(_ -> value(element))
                            .collect(Collectors.toCollection(ArrayList::new));
            case FieldType.WeightedSetOf(var element) -> {
                var weights = new TreeMap<String, Object>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    weights.put(key(element), (long) random.nextInt(-3, 10));
                }
                yield weights;
            }
            case FieldType.MapOf(var key, var mapped) -> {
                var map = new TreeMap<String, Object>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put(key(key), value(mapped));
                }
                yield map;
            }
            case FieldType.StructOf struct when struct.equals(FieldType.StructOf.POSITION) ->
                    new TreeMap<>(
                            Map.of(
                                    "lat", random.nextInt(-900, 900) / 10.0,
                                    "lng", random.nextInt(-1_800, 1_800) / 10.0));
            case FieldType.StructOf(_, var fields) -> {
                var members = new TreeMap<String, Object>();
                for (Field field : fields) {
                    if (random.nextInt(3) > 0) {
                        members.put(field.name(), value(field.type()));
                    }
                }
                yield members;
            }
            case FieldType.ReferenceOf _ -> random.nextBoolean() ? "" : "id:n:t::other";
            case FieldType.TensorOf(var tensor) -> cells(tensor);
        };
    }

    /** Returns a key from a small set. */
    String key(FieldType type) {
        return type == Primitive.STRING ? oneOf(KEYS) : Integer.toString(random.nextInt(-2, 3));
    }

    private Object primitive(Primitive type) {
        return switch (type) {
            case STRING -> oneOf(TEXTS);
            case URI -> oneOf(List.of("http://host/path?q=1", "https://a.b/"));
            case RAW -> oneOf(List.of("AQID", "/+8=", "eHg="));
            case PREDICATE -> throw new IllegalArgumentException("no predicates by chance");
            case BOOL -> random.nextBoolean();
            case BYTE -> (long) random.nextInt(-128, 128);
            case INT -> (long) (random.nextBoolean() ? random.nextInt(5) : random.nextInt());
            case LONG ->
                    switch (random.nextInt(3)) {
                        case 0 -> Long.MIN_VALUE;
                        case 1 -> random.nextLong();
                        default -> (long) random.nextInt(5);
                    };
            case FLOAT -> (double) (float) number();
            case FLOAT16 -> (double) random.nextInt(8);
            case DOUBLE -> random.nextInt(8) == 0 ? Double.NEGATIVE_INFINITY : number();
        };
    }

    private double number() {
        return random.nextBoolean()
                ? NUMBERS[random.nextInt(NUMBERS.length)]
                : random.nextGaussian();
    }

    /** Returns a cell value, so small that sums of several are exact in any cell type. */
    double cell(CellType type) {
        return type == CellType.INT8 ? random.nextInt(-9, 10) : random.nextInt(-40, 40) / 4.0;
    }

    /** Returns a random label for each mapped dimension. */
    Map<String, String> labels(TensorType type) {
        var labels = new TreeMap<String, String>();
        for (Dimension dimension : type.dimensions()) {
            if (dimension instanceof Dimension.Mapped) {
                labels.put(dimension.name(), oneOf(LABELS));
            }
        }
        return labels;
    }

    /** Returns every address of the subspace of {@code labels}, the last dimension fastest. */
    static List<String> subspace(TensorType type, Map<String, String> labels) {
        List<String> addresses = List.of("");
        for (Dimension dimension : type.dimensions()) {
            List<String> steps =
                    dimension instanceof Dimension.Indexed indexed
                            ? IntStream.range(0, indexed.size())
                                    .mapToObj(Integer::toString)
                                    .toList()
                            : List.of(Objects.requireNonNull(labels.get(dimension.name())));
            addresses =
                    addresses.stream()
                            .flatMap(start ->
                                    steps.stream()
                                            .map(step ->
                                                    start + dimension.name() + '=' + step + ' '))
                            .toList();
        }
        return addresses;
    }

    private Map<String, Object> cells(TensorType type) {
        var cells = new TreeMap<String, Object>();
        for (int i = type.isDense() ? 1 : random.nextInt(4); i > 0; i--) {
            for (String address : subspace(type, labels(type))) {
                cells.put(address, cell(type.cellType()));
            }
        }
        return cells;
    }

    /** Returns an address as a JSON object. */
    static String address(String address) {
        return List.of(address.split(" ")).stream()
                .filter(part -> !part.isEmpty())
                .map(part -> part.split("=", 2))
                .map(part -> "\"%s\":\"%s\"".formatted(part[0], part[1]))
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** Returns a value as JSON for a put, in one of its forms. */
    String json(FieldType type, Object value) {
        return switch (type) {
            case FieldType.ArrayOf(var element) ->
                    ((List<?>) value)
                            .stream()
                                    .map(each -> json(element, each))
                                    .collect(Collectors.joining(",", "[", "]"));
            case FieldType.WeightedSetOf _ -> members(value, (_, weight) -> weight.toString());
            case FieldType.MapOf(_, var mapped) when random.nextInt(3) == 0 ->
                    map(value).entrySet().stream()
                            .map(each ->
                                    "{\"key\":%s,\"value\":%s}"
                                            .formatted(
                                                    quoted(each.getKey()),
                                                    json(mapped, each.getValue())))
                            .collect(Collectors.joining(",", "[", "]"));
            case FieldType.MapOf(_, var mapped) -> members(value, (_, each) -> json(mapped, each));
            case FieldType.StructOf struct ->
                    members(
                            value,
                            (name, each) -> json(struct.field(name).orElseThrow().type(), each));
            case FieldType.TensorOf(var tensor) -> tensor(tensor, map(value));
            case Primitive _, FieldType.ReferenceOf _ -> scalar(value);
        };
    }

    private String scalar(Object value) {
        return switch (value) {
            case String text -> quoted(text);
            case Double number when !Double.isFinite(number) -> quoted(number.toString());
            default -> random.nextInt(4) == 0 ? quoted(value.toString()) : value.toString();
        };
    }

    private interface Shown {
        String of(String name, Object value);
    }

    private static String members(Object map, Shown shown) {
        return map(map).entrySet().stream()
                .map(each -> quoted(each.getKey()) + ":" + shown.of(each.getKey(), each.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private String tensor(TensorType type, Map<String, Object> cells) {
        if (type.isDense() && random.nextBoolean()) {
            String values = cells.values().toString();
            return random.nextBoolean() ? values : "{\"values\":" + values + "}";
        }
        String list =
                cells.entrySet().stream()
                        .map(each ->
                                "{\"address\":%s,\"value\":%s}"
                                        .formatted(address(each.getKey()), each.getValue()))
                        .collect(Collectors.joining(",", "[", "]"));
        return random.nextBoolean() && !type.isDense() ? list : "{\"cells\":" + list + "}";
    }

    static String quoted(String text) {
        return '"'
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\t", "\\u0009")
                + '"';
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    /** Returns a copy that shares no mutable objects. */
    static Object copy(Object value) {
        if (value instanceof List<?> list) {
            return list.stream()
                    .map(PlainValues::copy)
                    .collect(Collectors.toCollection(ArrayList::new));
        }
        if (value instanceof Map<?, ?>) {
            var copy = new TreeMap<String, Object>();
            map(value).forEach((key, each) -> copy.put(key, copy(each)));
            return copy;
        }
        return value;
    }

    /** Returns a stored value as a plain one. */
    static Object of(FieldValue value) {
        return switch (value) {
            case FieldValue.StringValue(var text) -> text;
            case FieldValue.BoolValue(var truth) -> truth;
            case FieldValue.IntValue(var number) -> (long) number;
            case FieldValue.LongValue(var number) -> number;
            case FieldValue.FloatValue(var number) -> (double) number;
            case FieldValue.DoubleValue(var number) -> number;
            case FieldValue.ArrayValue(var elements) ->
                    elements.stream().map(PlainValues::of).toList();
            case FieldValue.WeightedSetValue(var weights) -> {
                var map = new TreeMap<String, Object>();
                weights.forEach((key, weight) -> map.put(of(key).toString(), (long) weight));
                yield map;
            }
            case FieldValue.MapValue(var values) -> {
                var map = new TreeMap<String, Object>();
                values.forEach((key, each) -> map.put(of(key).toString(), of(each)));
                yield map;
            }
            case FieldValue.StructValue(var members) -> {
                var map = new TreeMap<String, Object>();
                members.forEach((name, each) -> map.put(name, of(each)));
                yield map;
            }
            case FieldValue.TensorValue(var tensor) -> {
                var map = new TreeMap<String, Object>();
                List<String> addresses = subspace(tensor.type(), Map.of());
                for (int i = 0; i < tensor.size(); i++) {
                    map.put(addresses.get(i), tensor.cell(i));
                }
                yield map;
            }
            case FieldValue.MixedTensorValue(var tensor) -> {
                var map = new TreeMap<String, Object>();
                List<String> mapped =
                        tensor.type().dimensions().stream()
                                .filter(Dimension.Mapped.class::isInstance)
                                .map(Dimension::name)
                                .toList();
                for (int i = 0; i < tensor.addresses().size(); i++) {
                    var labels = new TreeMap<String, String>();
                    for (int d = 0; d < mapped.size(); d++) {
                        labels.put(mapped.get(d), tensor.addresses().get(i).get(d));
                    }
                    List<String> addresses = subspace(tensor.type(), labels);
                    for (int cell = 0; cell < addresses.size(); cell++) {
                        map.put(addresses.get(cell), tensor.cell(i, cell));
                    }
                }
                yield map;
            }
        };
    }
}
