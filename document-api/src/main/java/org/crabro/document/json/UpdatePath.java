package org.crabro.document.json;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.json.FieldValueReader.UnfitValueException;
import org.crabro.document.operation.UpdateStep;
import org.crabro.document.time.TimeParts;

/**
 * A path into a field in an update.
 *
 * <pre>
 *   path     := field { "." member | "[" index "]" | "{" key "}" | "[" variable "]" | "{" variable "}" }
 *   index    := digits                                     ; from 0
 *   key      := text without '}' | '"' text with \" and \\ '"'
 *   variable := "$" { letter | digit | "_" }               ; every element or value
 * </pre>
 *
 * @param end the type at the end of the path
 */
record UpdatePath(String field, List<UpdateStep> steps, FieldType end) {
    UpdatePath {
        steps = List.copyOf(steps);
    }

    /** Returns whether a name is a path and not only a field name. */
    static boolean isPath(String name) {
        return endOfName(name, 0) < name.length();
    }

    /** Returns the name of the field at the start of a path. */
    static String field(String path) {
        return path.substring(0, endOfName(path, 0));
    }

    /**
     * Parses a path.
     *
     * @param start type of the field
     * @param removesIfZero whether elements of the field are removed when their weight becomes 0
     */
    static UpdatePath parse(String text, FieldType start, boolean removesIfZero) {
        return new Parser(text, start, removesIfZero).parse();
    }

    /**
     * Returns the times in the part at the end of this path.
     *
     * @param times those of the field
     * @param start type of the field
     */
    TimeParts times(TimeParts times, FieldType start) {
        TimeParts inner = times;
        FieldType type = start;
        for (UpdateStep step : steps) {
            if (type instanceof FieldType.MapOf(_, var value)) {
                inner = inner.part("value");
                type = value;
            } else if (type instanceof FieldType.ArrayOf(var element)) {
                type = element;
            } else if (type instanceof FieldType.StructOf struct
                    && step instanceof UpdateStep.Member(var name)) {
                inner = inner.part(name);
                type = struct.field(name).map(Field::type).orElse(type);
            }
        }
        return inner;
    }

    private static int endOfName(String text, int from) {
        int at = from;
        while (at < text.length() && ".[{".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    /** Parses one path. */
    private static final class Parser {
        private static final int INDEX_DIGITS_MAX = 9;
        private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

        private final String text;
        private final boolean removesIfZero;
        private final List<UpdateStep> steps = new ArrayList<>();
        private final Set<String> variables = new HashSet<>();
        private FieldType type;
        private boolean isWeight;
        private int at;

        Parser(String text, FieldType start, boolean removesIfZero) {
            this.text = text;
            this.type = start;
            this.removesIfZero = removesIfZero;
        }

        UpdatePath parse() {
            at = endOfName(text, 0);
            String field = text.substring(0, at);
            while (at < text.length()) {
                if (isWeight) {
                    throw failure("a weight has no parts");
                }
                switch (text.charAt(at)) {
                    case '.' -> member();
                    case '[' -> index();
                    case '{' -> key();
                    default -> throw failure("expected '.', '[' or '{'");
                }
            }
            return new UpdatePath(field, steps, type);
        }

        private void member() {
            int from = at;
            int end = endOfName(text, at + 1);
            String name = text.substring(at + 1, end);
            if (!(type instanceof FieldType.StructOf struct)
                    || struct.equals(FieldType.StructOf.POSITION)) {
                throw failure("'.%s' is in a struct, not in %s".formatted(name, type.text()));
            }
            Field field =
                    struct.field(name)
                            .orElseThrow(() ->
                                    failure(
                                            "struct '%s' has no field '%s'; its fields are %s"
                                                    .formatted(
                                                            struct.name(),
                                                            name,
                                                            names(struct, Field::name)),
                                            from));
            steps.add(new UpdateStep.Member(name));
            type = field.type();
            at = end;
        }

        private static String names(FieldType.StructOf struct, Function<Field, String> name) {
            return struct.fields().stream().map(name).collect(Collectors.joining(", "));
        }

        private void index() {
            if (isVariable()) {
                every(']');
                return;
            }
            if (!(type instanceof FieldType.ArrayOf(var element))) {
                throw failure("'[' is for arrays, not for " + type.text());
            }
            int close = text.indexOf(']', at);
            String digits = close < 0 ? "" : text.substring(at + 1, close);
            if (digits.isEmpty()
                    || digits.length() > INDEX_DIGITS_MAX
                    || !digits.chars().allMatch(each -> each >= '0' && each <= '9')) {
                throw failure("expected an index from 0 to 999999999 and ']' after '['");
            }
            steps.add(new UpdateStep.Index(Integer.parseInt(digits)));
            type = element;
            at = close + 1;
        }

        private boolean isVariable() {
            return text.startsWith("$", at + 1);
        }

        /** Reads a variable, which stands for every element, value or weight. */
        private void every(char end) {
            int from = at;
            int close = text.indexOf(end, at);
            String name = close < 0 ? "" : text.substring(at + 2, close);
            if (!VARIABLE.matcher(name).matches()) {
                throw failure(
                        "expected a variable such as '$x' and '%s': a key that begins with '$' is in quotes"
                                .formatted(end));
            }
            if (!variables.add(name)) {
                throw failure(
                        "'$%s' occurs twice: each variable has a name of its own".formatted(name));
            }
            type =
                    switch (type) {
                        case FieldType.ArrayOf(var element) -> element;
                        case FieldType.MapOf(_, var value) -> value;
                        case FieldType.WeightedSetOf _ -> {
                            isWeight = true;
                            yield FieldType.Primitive.INT;
                        }
                        case FieldType.Primitive _,
                                FieldType.StructOf _,
                                FieldType.ReferenceOf _,
                                FieldType.TensorOf _ ->
                                throw failure(
                                        "variables are for arrays, maps and weighted sets, not for "
                                                + type.text(),
                                        from);
                    };
            steps.add(new UpdateStep.Every(name, removesIfZero));
            at = close + 1;
        }

        private void key() {
            if (isVariable()) {
                every('}');
                return;
            }
            int from = at;
            at++;
            boolean isQuoted = at < text.length() && text.charAt(at) == '"';
            String key = isQuoted ? quoted() : unquoted();
            if (at == text.length() || text.charAt(at) != '}') {
                throw failure("expected '}' after the key");
            }
            at++;
            switch (type) {
                case FieldType.MapOf(var keyType, var valueType) -> {
                    steps.add(new UpdateStep.Key(ValueText.parse(keyType, key)));
                    type = valueType;
                }
                case FieldType.WeightedSetOf(var element) -> {
                    steps.add(
                            new UpdateStep.Weight(
                                    ValueText.parse(element, key), true, removesIfZero));
                    isWeight = true;
                    type = FieldType.Primitive.INT;
                }
                default ->
                        throw failure(
                                "'{' is for maps and weighted sets, not for " + type.text(), from);
            }
        }

        private String unquoted() {
            int close = text.indexOf('}', at);
            if (close < 0) {
                throw failure("expected '}' after the key", text.length());
            }
            String key = text.substring(at, close);
            at = close;
            return key;
        }

        private String quoted() {
            var key = new StringBuilder();
            at++;
            while (at < text.length() && text.charAt(at) != '"') {
                if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                    at++;
                }
                key.append(text.charAt(at++));
            }
            if (at == text.length()) {
                throw failure("expected '\"' after the key");
            }
            at++;
            return key.toString();
        }

        private UnfitValueException failure(String problem) {
            return failure(problem, at);
        }

        private UnfitValueException failure(String problem, int where) {
            return new UnfitValueException(
                    problem + " (character " + (where + 1) + " of the path)");
        }
    }
}
