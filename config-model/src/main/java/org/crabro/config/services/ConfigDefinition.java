package org.crabro.config.services;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.component.Config;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;

/**
 * The values of a class of configuration, read from a {@code .def} file. Each line has the form
 * {@code name type default=value}. A name can have several parts with dots between them, {@code []}
 * after an array and <code>{}</code> after a map.
 *
 * @param name with its namespace
 * @param root a struct
 */
record ConfigDefinition(String name, Field root) {
    /** The type of a field with fields of its own. */
    static final String STRUCT = "struct";

    private static final Pattern LINE =
            Pattern.compile("(\\S+)\\s+([a-z]+)(?:\\s*\\{([^}]*)})?(?:\\s+(.*))?");
    private static final Pattern PART = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)(\\[]|\\{})?");
    private static final Pattern NAMESPACE =
            Pattern.compile("\\[?(?:namespace|package)\\s*=\\s*([A-Za-z0-9_.-]+)]?");
    private static final List<String> TYPES =
            List.of(
                    "bool",
                    "double",
                    "enum",
                    "file",
                    "int",
                    "long",
                    "model",
                    "path",
                    "reference",
                    "string",
                    "url");

    private static final Pattern INT = Pattern.compile("-?[0-9]{1,10}");
    private static final Pattern LONG = Pattern.compile("-?[0-9]{1,19}");
    private static final Pattern DOUBLE =
            Pattern.compile("-?[0-9]*\\.?[0-9]+([eE][+-]?[0-9]{1,3})?");
    private static final Pattern DEFAULT = Pattern.compile("default\\s*=\\s*(\"[^\"]*\"|\\S+)");
    private static final Pattern RANGE =
            Pattern.compile("range\\s*=\\s*\\[\\s*([^,\\s]*)\\s*,\\s*([^]\\s]*)\\s*]");
    private static final List<String> NUMBERS = List.of("double", "int", "long");

    /** How many values a field has. */
    enum Shape {
        ONE,
        ARRAY,
        MAP
    }

    /**
     * A value, or several.
     *
     * @param type one of the simple types, or {@code struct}
     * @param choices of an enum
     * @param otherwise the default; without it a single value is required
     * @param range of numbers
     * @param fields of a struct, by name; filled while the file is read
     */
    record Field(
            String type,
            Shape shape,
            List<String> choices,
            Optional<String> otherwise,
            Optional<Range> range,
            Map<String, Field> fields) {
        boolean isMandatory() {
            return shape == Shape.ONE && !type.equals(STRUCT) && otherwise.isEmpty();
        }

        /** Returns the values in {@code given}, and the defaults of the others. */
        Config filled(Config given) {
            if (shape == Shape.ONE) {
                return filledOne(given);
            }
            var entries = new LinkedHashMap<String, Config>();
            given.entries().forEach((key, value) -> entries.put(key, filledOne(value)));
            return new Config(
                    given.text(),
                    given.fields(),
                    given.items().stream().map(this::filledOne).toList(),
                    entries);
        }

        private Config filledOne(Config given) {
            if (!type.equals(STRUCT)) {
                return given;
            }
            var all = new LinkedHashMap<>(given.fields());
            for (Map.Entry<String, Field> each : fields.entrySet()) {
                Field field = each.getValue();
                Config own = given.fields().get(each.getKey());
                Config value =
                        own == null ? field.otherwise.map(Field::text).orElse(Config.NONE) : own;
                Config filled = field.filled(value);
                if (!filled.isEmpty()) {
                    all.put(each.getKey(), filled);
                }
            }
            return new Config(given.text(), all, given.items(), given.entries());
        }

        private static Config text(String text) {
            return new Config(text, Map.of(), List.of(), Map.of());
        }

        /** Returns the expected form of a value if {@code text} does not have it. */
        Optional<String> expected(String text) {
            boolean fits =
                    switch (type) {
                        case "int" ->
                                INT.matcher(text).matches()
                                        && Long.parseLong(text) == (int) Long.parseLong(text);
                        case "long" -> isLong(text);
                        case "double" -> DOUBLE.matcher(text).matches();
                        case "bool" -> List.of("true", "false").contains(text);
                        case "enum" -> choices.contains(text);
                        default -> true;
                    };
            if (!fits) {
                return Optional.of(
                        type.equals("enum") ? "one of " + String.join(", ", choices) : type);
            }
            return range.filter(each -> !each.contains(text)).map(each -> type + " in " + each);
        }

        private static boolean isLong(String text) {
            return LONG.matcher(text).matches() && new BigInteger(text).bitLength() < Long.SIZE;
        }
    }

    /** From {@code least} to {@code most}, both included. */
    record Range(BigDecimal least, BigDecimal most) {
        boolean contains(String number) {
            var value = new BigDecimal(number);
            return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
        }

        @Override
        public String toString() {
            return "[" + least + ", " + most + "]";
        }
    }

    /** The maximum number of lines of a definition. */
    private static final int LINES_MAX = 20_000;

    /**
     * Returns the definition in {@code text}; empty if it is invalid, which is reported.
     *
     * @param path of the file
     */
    static Optional<ConfigDefinition> read(String path, String text, Findings findings) {
        String name = path.substring(path.lastIndexOf('/') + 1).replaceFirst("\\.def$", "");
        String namespace = "config";
        Field root = struct(Shape.ONE);
        boolean isWhole = true;
        List<String> lines = text.lines().limit(LINES_MAX + 1L).toList();
        if (lines.size() > LINES_MAX) {
            findings.problem("%s: the file has more than %,d lines".formatted(path, LINES_MAX));
            return Optional.empty();
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#") || line.startsWith("version=")) {
                continue;
            }
            Matcher space = NAMESPACE.matcher(line);
            if (space.matches()) {
                namespace = space.group(1);
                continue;
            }
            Optional<String> problem = add(root, line);
            if (problem.isPresent()) {
                isWhole = false;
                findings.problem(
                        "%s:%d:1: %s\n  %d: %s\n  %s^"
                                .formatted(
                                        path,
                                        i + 1,
                                        problem.get(),
                                        i + 1,
                                        lines.get(i).stripTrailing(),
                                        " ".repeat(Integer.toString(i + 1).length() + 2)));
            }
        }
        String whole = name.startsWith(namespace + ".") ? name : namespace + "." + name;
        return isWhole ? Optional.of(new ConfigDefinition(whole, root)) : Optional.empty();
    }

    private static Field struct(Shape shape) {
        return new Field(
                STRUCT,
                shape,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                new LinkedHashMap<>());
    }

    /** Adds the field that a line declares. Returns the problem with it, if there is one. */
    private static Optional<String> add(Field root, String line) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            return Optional.of("expected a line such as 'count int default=1'");
        }
        String type = parts.group(2);
        if (!TYPES.contains(type)) {
            return Optional.of(
                    "unknown type '%s'; expected one of %s%s"
                            .formatted(
                                    type, String.join(", ", TYPES), NearestName.hint(type, TYPES)));
        }
        if (type.equals("enum") != (parts.group(3) != null)) {
            return Optional.of("expected the values of an enum, as in 'mode enum {A, B}'");
        }
        String options = parts.group(4) == null ? "" : parts.group(4);
        List<String> choices =
                parts.group(3) == null
                        ? List.of()
                        : Arrays.stream(parts.group(3).split(",")).map(String::strip).toList();
        Field in = root;
        List<String> names = new ArrayList<>(List.of(parts.group(1).split("\\.", -1)));
        String last = names.removeLast();
        for (String name : names) {
            Matcher part = PART.matcher(name);
            if (!part.matches()) {
                return Optional.of("'%s' is no name of a field".formatted(name));
            }
            in = in.fields.computeIfAbsent(part.group(1), _ -> struct(shape(part)));
            if (!in.type.equals(STRUCT)) {
                return Optional.of(
                        "'%s' is of type %s and cannot have fields".formatted(name, in.type));
            }
        }
        Matcher part = PART.matcher(last);
        if (!part.matches()) {
            return Optional.of("'%s' is no name of a field".formatted(last));
        }
        Shape shape = shape(part);
        Matcher given = DEFAULT.matcher(options);
        Optional<String> otherwise = given.find() ? Optional.of(given.group(1)) : Optional.empty();
        Optional<Range> range = range(type, options);
        if (range.isEmpty() && options.contains("range=")) {
            return Optional.of(
                    "expected the least and the most of a number, as in 'count int range=[1,10]'");
        }
        var field =
                new Field(
                        type,
                        shape,
                        choices,
                        otherwise.map(ConfigDefinition::unquoted),
                        range,
                        Map.of());
        Optional<String> expected = otherwise.flatMap(field::expected);
        if (expected.isPresent()) {
            return Optional.of(
                    "expected %s as the default of '%s', but found '%s'"
                            .formatted(expected.get(), parts.group(1), given.group(1)));
        }
        return in.fields.putIfAbsent(part.group(1), field) == null
                ? Optional.empty()
                : Optional.of("field '%s' is declared twice".formatted(parts.group(1)));
    }

    private static Optional<Range> range(String type, String options) {
        Matcher range = RANGE.matcher(options);
        return NUMBERS.contains(type)
                        && range.find()
                        && DOUBLE.matcher(range.group(1)).matches()
                        && DOUBLE.matcher(range.group(2)).matches()
                ? Optional.of(
                        new Range(new BigDecimal(range.group(1)), new BigDecimal(range.group(2))))
                : Optional.empty();
    }

    private static String unquoted(String given) {
        boolean isQuoted = given.length() > 1 && given.startsWith("\"") && given.endsWith("\"");
        return isQuoted
                ? given.substring(1, given.length() - 1)
                : given.equals("null") ? "" : given;
    }

    private static Shape shape(Matcher part) {
        String behind = part.group(2);
        return behind == null ? Shape.ONE : behind.equals("[]") ? Shape.ARRAY : Shape.MAP;
    }
}
