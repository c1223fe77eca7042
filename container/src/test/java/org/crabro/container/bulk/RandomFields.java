package org.crabro.container.bulk;

import java.util.List;
import java.util.Random;
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
                    "tensor<float>(k{},x[2])");

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
                                "schema %s {%n  document %s {%n".formatted(name, name),
                                "  }\n}\n"));
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
        return switch (type) {
            case "string", "uri", "position" -> '"' + text() + '"';
            case "raw" -> "\"AQID\"";
            case "bool" ->
                    random.nextInt(5) == 0 ? number() : random.nextBoolean() ? "true" : "false";
            case "weightedset<string>", "map<string, int>" -> "{\"" + text() + "\":1}";
            case "tensor<float>(k{})" -> "{\"a\":" + number() + "}";
            case "tensor<float>(k{},x[2])" -> "{\"a\":" + list(2, "double") + "}";
            case "tensor<float>(x[2])" ->
                    random.nextBoolean() ? list(2, "double") : "\"3F8000007fC00000\"";
            case "tensor<int8>(x[2])" -> random.nextBoolean() ? list(2, "int") : "\"01Ff\"";
            case "tensor<double>(x[1],y[2])" ->
                    random.nextBoolean()
                            ? "[" + list(2, "double") + "]"
                            : "{\"values\":" + list(2, "double") + "}";
            case "tensor<bfloat16>(x[2])" -> "{\"values\":\"3FC0C000\"}";
            default -> number();
        };
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
