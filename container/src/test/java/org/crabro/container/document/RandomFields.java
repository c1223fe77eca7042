package org.crabro.container.document;

import java.io.IOException;
import java.nio.file.Path;
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
import org.crabro.config.deploy.ApplicationModel;

/** A random schema, and random bodies of its documents, most of them right and some not quite. */
public final class RandomFields {
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

    /** The structs of every schema, with the types of their members. */
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
                    "-1e-400",
                    "1e00002",
                    "-0e99999",
                    "1e-100000000000",
                    "\"\\u0034\\u0032\"",
                    "\"٣\"",
                    "1" + "0".repeat(600),
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

    public RandomFields(Random random) {
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

    /**
     * Returns an application with the schema of this name.
     *
     * @param folder to write its files into
     */
    public ApplicationModel model(String name, Path folder) throws IOException {
        return StreamedType.model(name, folder, schema(name));
    }

    /** Returns a line of a bulk body that puts a document with this id. */
    public String line(String id) {
        String line = operation(List.of(member(pick("put", "id"), spelled(id))));
        return line.replace('\r', ' ').replace('\n', ' ');
    }

    /** Returns the body of a put. */
    String body() {
        return operation(List.of());
    }

    private String operation(List<String> head) {
        String fields =
                IntStream.range(0, random.nextInt(types.size() + 2))
                        .mapToObj(_ -> field())
                        .collect(
                                Collectors.joining("," + blanks(), "{" + blanks(), "}" + blanks()));
        var members = new ArrayList<>(head);
        members.add(member("fields", fields));
        while (random.nextInt(3) == 0) {
            members.add(
                    switch (random.nextInt(8)) {
                        case 0, 1 -> member("create", pick("true", "false"));
                        case 2, 3 -> member("condition", '"' + text() + '"');
                        case 4 -> member(pick("create", "condition"), other(0));
                        case 5 -> member("fields", pick("{}", "{\"f0\":null}"));
                        case 6 -> member(pick("put", "id", "get"), '"' + text() + '"');
                        default -> member(pick("other", "", "remove", "fieldsets"), other(0));
                    });
        }
        if (random.nextInt(3) > 0) {
            Collections.shuffle(members, random);
        }
        String body =
                members.stream()
                        .map(each -> blanks() + each + blanks())
                        .collect(Collectors.joining(",", blanks() + "{", "}" + blanks()));
        if (random.nextInt(20) == 0) {
            body += "more";
        }
        if (random.nextInt(40) == 0) {
            body = "\ufeff" + body;
        }
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

    private String member(String name, String value) {
        return spelled(name) + blanks() + ":" + blanks() + value;
    }

    /** Returns a string, of which a character may be escaped that need not be. */
    private String spelled(String text) {
        if (text.isEmpty() || random.nextInt(12) > 0) {
            return '"' + text + '"';
        }
        int at = random.nextInt(text.length());
        return '"'
                + text.substring(0, at)
                + "\\u%04x".formatted((int) text.charAt(at))
                + text.substring(at + 1)
                + '"';
    }

    /** A value of any kind. */
    private String other(int depth) {
        return switch (random.nextInt(depth < 4 ? 8 : 6)) {
            case 0 -> "null";
            case 1 -> pick("true", "false");
            case 2 -> number();
            case 3, 4 -> '"' + text() + '"';
            case 5 -> pick("[]", "{}", "[[],{}]");
            case 6 -> "[" + other(depth + 1) + "," + other(depth + 1) + "]";
            default ->
                    "{"
                            + member(text(), other(depth + 1))
                            + ","
                            + member("other", other(depth + 1))
                            + "}";
        };
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
        return member("f" + (random.nextInt(60) == 0 ? "x" : index), value) + blanks();
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
                return member(name, value);
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
                "{" + member("type", other(0)) + "," + member("values", "[1,2]") + "}",
                "{\"values\":[],\"values\":[1],\"cells\":[],\"values\":[[],1,[[2.5]],[]]}",
                "[[0.5,[[]]],0.25]",
                "[0.5,[0.25]]",
                "[[],]",
                spelled(digits),
                "\"0102\"",
                "\"7FC12345FF800001\"",
                "\"7ff8000000000001fff0000000012345\"",
                "\"FFC17F81\"",
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
                "{\"" + word + "\":[" + number() + "]}",
                "{\"type\":\"" + type + "\",\"" + word + "\":" + entries + "}",
                "{\"" + word + "\":" + mapped + ",\"type\":\"" + (hasTwo ? type : "1") + "\"}");
    }

    private String cell(String indexed, String mapped, String second, int index) {
        String address = address(indexed, mapped, second, index);
        return random.nextBoolean()
                ? "{" + address + "," + member("value", number()) + "}"
                : "{" + member("value", number()) + "," + address + "}";
    }

    private String address(String indexed, String mapped, String second, int index) {
        var dimensions = new ArrayList<String>();
        if (!indexed.isEmpty()) {
            dimensions.add(
                    member(
                            indexed,
                            pick("" + index, spelled("" + index), "\"+1\"", "\"00\"", "null")));
        }
        for (String dimension : List.of(mapped, second)) {
            if (!dimension.isEmpty()) {
                dimensions.add(member(dimension, pick(label(), "7", "true", "null")));
            }
        }
        Collections.shuffle(dimensions, random);
        return member("address", "{" + String.join(",", dimensions) + "}");
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
        members.add(member("key", random.nextBoolean() ? key(key) : value(key)));
        members.add(member("value", value(value)));
        if (random.nextInt(9) == 0) {
            members.add(member("value", value(value)));
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
