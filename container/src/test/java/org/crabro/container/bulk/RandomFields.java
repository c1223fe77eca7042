package org.crabro.container.bulk;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A random schema, and random bodies of its documents, most of them right and some not quite. */
final class RandomFields {
    private static final List<String> TYPES =
            List.of(
                    "string",
                    "int",
                    "long",
                    "byte",
                    "bool",
                    "float",
                    "double",
                    "raw",
                    "uri",
                    "position",
                    "array<string>",
                    "array<int>",
                    "array<double>",
                    "array<bool>",
                    "weightedset<string>",
                    "map<string, int>",
                    "tensor<float>(x[2])",
                    "tensor<double>(x[1],y[2])",
                    "tensor<bfloat16>(x[2])",
                    "tensor<int8>(x[2])",
                    "tensor<float>(k{})",
                    "tensor<float>(k{},x[2])",
                    "tensor<double>(k{},m{})",
                    "tensor<int8>(k{},m{},x[2])",
                    "array<pair>",
                    "pair",
                    "outer",
                    "map<string, pair>",
                    "map<int, array<string>>",
                    "weightedset<int>",
                    "array<weightedset<string>>",
                    "array<position>",
                    "predicate");

    /** The structs of every schema, and what their members are. */
    private static final Map<String, Map<String, String>> STRUCTS =
            Map.of(
                    "pair",
                    new TreeMap<>(Map.of("a", "string", "b", "int", "c", "array<double>")),
                    "outer",
                    new TreeMap<>(Map.of("p", "pair", "ps", "map<string, pair>", "w", "float")));

    private static final List<String> TEXTS =
            List.of(
                    "a",
                    "word ",
                    "å",
                    "中",
                    "😀",
                    "\\n",
                    "\\\"",
                    "\\u0041",
                    "\\ud83d\\ude00",
                    "\\/",
                    "\\b",
                    "\\ud83d",
                    "\\uffff",
                    "N37.4;W122.0",
                    "7");

    private static final List<String> NUMBERS =
            List.of(
                    "0",
                    "-0",
                    "7",
                    "-128",
                    "128",
                    "2147483648",
                    "9223372036854775807",
                    "1e3",
                    "1.0",
                    "-0.0",
                    "0.1",
                    "1e400",
                    "1e-400",
                    "01",
                    "1.",
                    "\"42\"",
                    "\"nan\"",
                    "1.00000000000000011102230246251565404236316680908203125",
                    "3.4028236e38",
                    "1" + "0".repeat(990),
                    "1" + "0".repeat(1001),
                    "0." + "1".repeat(1001));

    private final Random random;
    private final List<String> types;

    RandomFields(Random random) {
        this.random = random;
        this.types =
                IntStream.range(0, 1 + random.nextInt(8))
                        .mapToObj(_ -> TYPES.get(random.nextInt(TYPES.size())))
                        .toList();
    }

    /** Returns the schema of this name. */
    String schema(String name) {
        return IntStream.range(0, types.size())
                .mapToObj(i ->
                        "    field f%d type %s { indexing: summary }%n".formatted(i, types.get(i)))
                .collect(
                        Collectors.joining(
                                "",
                                "schema %s {%n  document %s {%n%s"
                                        .formatted(name, name, struct("pair") + struct("outer")),
                                "  }\n}\n"));
    }

    private static String struct(String name) {
        return Objects.requireNonNull(STRUCTS.get(name)).entrySet().stream()
                .map(member ->
                        "      field %s type %s {}%n".formatted(member.getKey(), member.getValue()))
                .collect(Collectors.joining("", "    struct %s {%n".formatted(name), "    }\n"));
    }

    /** Returns the body of a put. */
    String body() {
        String fields =
                IntStream.range(0, random.nextInt(types.size() + 2))
                        .mapToObj(_ -> field())
                        .collect(
                                Collectors.joining("," + blanks(), "{" + blanks(), "}" + blanks()));
        String body = blanks() + "{" + blanks() + "\"fields\"" + blanks() + ":" + fields;
        body +=
                switch (random.nextInt(20)) {
                    case 0 -> ",\"create\":true}";
                    case 1 -> ",\"condition\":\"true\"}";
                    case 2 -> ",\"other\":[{}]}";
                    case 3 -> ",\"fields\":{}}";
                    case 4 -> "} more";
                    default -> "}" + blanks();
                };
        int right = random.nextInt(8);
        if (right == 0) {
            return body.substring(0, random.nextInt(body.length()));
        }
        if (right > 2) {
            return body;
        }
        var broken = new StringBuilder(body);
        String others = "\"\\,:[]{}0123456789eE+-. naå\n\u0001\ufffe";
        broken.setCharAt(
                random.nextInt(broken.length()), others.charAt(random.nextInt(others.length())));
        return broken.toString();
    }

    private String blanks() {
        return switch (random.nextInt(6)) {
            case 0 -> " ";
            case 1 -> "\n  ";
            case 2 -> "\r\n\t";
            default -> "";
        };
    }

    private String field() {
        int index = random.nextInt(types.size());
        boolean isOdd = random.nextInt(30) == 0;
        String type = isOdd ? TYPES.get(random.nextInt(TYPES.size())) : types.get(index);
        String value = random.nextInt(20) == 0 ? "null" : value(type);
        return "\"f"
                + (random.nextInt(60) == 0 ? "x" : index)
                + "\""
                + blanks()
                + ":"
                + blanks()
                + value
                + blanks();
    }

    private String value(String type) {
        if (type.startsWith("array<")) {
            return list(random.nextInt(4), type.substring("array<".length(), type.length() - 1));
        }
        if (type.startsWith("map<")) {
            int comma = type.indexOf(',');
            return map(
                    type.substring("map<".length(), comma),
                    type.substring(comma + 2, type.length() - 1));
        }
        if (type.startsWith("weightedset<")) {
            String element = type.substring("weightedset<".length(), type.length() - 1);
            return members(() -> key(element) + ":" + (random.nextInt(9) == 0 ? number() : "1"));
        }
        if (STRUCTS.containsKey(type)) {
            Map<String, String> members = Objects.requireNonNull(STRUCTS.get(type));
            return members(() -> {
                String name = List.copyOf(members.keySet()).get(random.nextInt(3));
                String value =
                        random.nextInt(9) == 0
                                ? "null"
                                : value(Objects.requireNonNull(members.get(name)));
                return '"' + name + "\":" + value;
            });
        }
        if (type.startsWith("tensor<") && type.contains("{}")) {
            return mixed(type);
        }
        return switch (type) {
            case "string", "uri" -> '"' + text() + '"';
            case "predicate" -> random.nextBoolean() ? "\"a in [b]\"" : '"' + text() + '"';
            case "position" -> position();
            case "raw" ->
                    pick(
                            "\"AQID\"",
                            "\"\"",
                            "\"AQ==\"",
                            "\"AQ\\nID\"",
                            "\"A QI D\"",
                            "\"AR==\"",
                            "7");
            case "bool" ->
                    random.nextInt(5) == 0
                            ? number()
                            : pick("true", "false", "\"True\"", "\"false\"", "\"x\"");
            case "tensor<float>(x[2])" -> vector("3F8000007fC00000");
            case "tensor<int8>(x[2])" -> random.nextBoolean() ? list(2, "int") : cellsOr("01Ff");
            case "tensor<double>(x[1],y[2])" ->
                    random.nextBoolean()
                            ? "[" + list(2, "double") + "]"
                            : "{\"values\":" + list(2, "double") + "}";
            case "tensor<bfloat16>(x[2])" -> cellsOr("3FC0C000");
            default -> number();
        };
    }

    private String vector(String digits) {
        return random.nextBoolean() ? list(2, "double") : cellsOr(digits);
    }

    private String cellsOr(String digits) {
        return pick(
                '"' + digits + '"',
                "{\"values\":\"" + digits + "\"}",
                "{\"type\":\"tensor(x[2])\",\"values\":[1,2]}",
                "\"0102\"",
                "\"3FF0000000000000bff8000000000000\"",
                "[" + cell("x", "", "", 0) + "," + cell("x", "", "", 1) + "]",
                "{\"cells\":[" + cell("x", "", "", random.nextInt(3)) + "],\"type\":\"t\"}");
    }

    /** A tensor with mapped dimensions, in one of all the ways there are. */
    private String mixed(String type) {
        boolean isDense = type.contains("[");
        boolean hasTwo = type.contains("m{}");
        String word = isDense && random.nextBoolean() ? "blocks" : "cells";
        String block = random.nextBoolean() ? list(2, "double") : cellsOr("0102");
        String labelled =
                members(() -> label() + ":" + (isDense ? vector("3F80000040000000") : number()));
        String second = hasTwo ? "m" : "";
        String entries =
                IntStream.range(0, random.nextInt(5))
                        .mapToObj(_ ->
                                word.equals("blocks")
                                        ? "{"
                                                + address("", "k", second, 0)
                                                + ",\"values\":"
                                                + block
                                                + "}"
                                        : cell(isDense ? "x" : "", "k", second, random.nextInt(2)))
                        .collect(Collectors.joining(",", "[", "]"));
        String mapped = hasTwo && random.nextInt(9) > 0 ? entries : labelled;
        return pick(
                mapped,
                entries,
                "{\"" + word + "\":" + mapped + "}",
                "{\"type\":\"" + type + "\",\"" + word + "\":" + entries + "}",
                "{\"" + word + "\":" + mapped + ",\"type\":\"" + (hasTwo ? type : "1") + "\"}");
    }

    private String cell(String indexed, String mapped, String second, int index) {
        String address = address(indexed, mapped, second, index);
        return random.nextBoolean()
                ? "{" + address + ",\"value\":" + number() + "}"
                : "{\"value\":" + number() + "," + address + "}";
    }

    private String address(String indexed, String mapped, String second, int index) {
        var dimensions = new ArrayList<String>();
        if (!indexed.isEmpty()) {
            dimensions.add('"' + indexed + "\":" + pick("" + index, "\"" + index + '"'));
        }
        for (String dimension : List.of(mapped, second)) {
            if (!dimension.isEmpty()) {
                dimensions.add('"' + dimension + "\":" + pick(label(), "7", "true"));
            }
        }
        Collections.shuffle(dimensions, random);
        return "\"address\":{" + String.join(",", dimensions) + "}";
    }

    private String label() {
        return pick(
                "\"a\"",
                "\"b\"",
                "\"cells\"",
                "\"blocks\"",
                "\"type\"",
                "\"values\"",
                '"' + text() + '"');
    }

    private String position() {
        return pick(
                "\"N37.4;W122.0\"",
                "{\"lat\":37.4,\"lng\":-122.0000004}",
                "{\"longitude\":1,\"latitude\":\"2.5\"}",
                "{\"x\":1000000,\"y\":" + number() + "}",
                "{\"lat\":" + number() + ",\"lng\":3}",
                '"' + text() + '"');
    }

    private String map(String key, String value) {
        return random.nextBoolean()
                ? members(() -> key(key) + ":" + blanks() + value(value))
                : IntStream.range(0, random.nextInt(4))
                        .mapToObj(_ -> entry(key, value))
                        .collect(Collectors.joining(",", "[", "]"));
    }

    private String entry(String key, String value) {
        var members = new ArrayList<String>();
        members.add("\"key\":" + (random.nextBoolean() ? key(key) : value(key)));
        members.add("\"value\":" + value(value));
        if (random.nextInt(9) == 0) {
            members.add("\"value\":" + value(value));
        }
        Collections.shuffle(members, random);
        return "{" + String.join(",", members) + "}";
    }

    private String key(String type) {
        return type.equals("int")
                ? '"' + pick("1", "2", "007", "-0", "x", "" + random.nextInt()) + '"'
                : random.nextBoolean() ? pick("\"a\"", "\"b\"") : '"' + text() + '"';
    }

    private String members(Supplier<String> member) {
        return IntStream.range(0, random.nextInt(4))
                .mapToObj(_ -> blanks() + member.get() + blanks())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private String pick(String... texts) {
        return texts[random.nextInt(texts.length)];
    }

    private String list(int count, String type) {
        return IntStream.range(0, count)
                .mapToObj(_ -> blanks() + value(type))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private String text() {
        return IntStream.range(0, random.nextInt(12))
                .mapToObj(
                        _ -> TEXTS.get(random.nextInt(random.nextInt(8) == 0 ? TEXTS.size() : 10)))
                .collect(Collectors.joining());
    }

    private String number() {
        return switch (random.nextInt(8)) {
            case 0 -> NUMBERS.get(random.nextInt(NUMBERS.size()));
            case 1 -> Float.toString(random.nextFloat());
            case 2 -> Double.toString(random.nextGaussian());
            case 3 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
            case 4 -> Long.toString(random.nextLong() >> random.nextInt(64));
            default -> Integer.toString(random.nextInt(256) - 128);
        };
    }
}
