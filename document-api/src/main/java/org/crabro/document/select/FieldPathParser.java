package org.crabro.document.select;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.jspecify.annotations.Nullable;

/** Parses the path after the name of a document type, and checks it against the type. */
final class FieldPathParser {
    private final SelectionScanner scanner;
    private final DocumentType type;
    private final List<PathStep> steps = new ArrayList<>();

    FieldPathParser(SelectionScanner scanner, DocumentType type) {
        this.scanner = scanner;
        this.type = type;
    }

    SelectionExpression parse() {
        int from = scanner.position();
        String name = scanner.word();
        Field field =
                type.field(name)
                        .orElseThrow(() ->
                                scanner.failure(
                                        from,
                                        "There is no field '%s' in '%s'; its fields are %s"
                                                .formatted(
                                                        name, type.name(), names(type.fields()))));
        FieldType at = field.type();
        FieldType next = step(at);
        while (next != null) {
            next = step(next);
        }
        return new SelectionExpression.FieldPath(type.name(), name, steps);
    }

    private static String names(List<Field> fields) {
        return fields.stream().map(Field::name).collect(Collectors.joining(", ", "[", "]"));
    }

    /** Parses one step from a value of a type. Returns the type after it, or null at the end. */
    private @Nullable FieldType step(FieldType at) {
        return switch (scanner.next()) {
            // A name with a parenthesis is a function of the value.
            case '.' -> scanner.isFollowedByCall() ? null : member(at);
            case '[' -> index(at);
            case '{' -> key(at);
            default -> null;
        };
    }

    private FieldType member(FieldType at) {
        scanner.acceptHere('.');
        int from = scanner.position();
        String name = scanner.word();
        return member(at, name, from);
    }

    private FieldType member(FieldType at, String name, int from) {
        return switch (at) {
            case FieldType.StructOf struct when struct.field(name).isPresent() -> {
                steps.add(new PathStep.Member(name));
                yield struct.field(name).get().type();
            }
            case FieldType.StructOf struct ->
                    throw scanner.failure(
                            from,
                            "There is no field '%s' in '%s'; its fields are %s"
                                    .formatted(name, struct.name(), names(struct.fields())));
            case FieldType.ArrayOf(var element) when element instanceof FieldType.StructOf struct ->
                    member(struct, name, from);
            case FieldType.MapOf(var key, _) when name.equals("key") -> {
                steps.add(new PathStep.Keys());
                yield key;
            }
            case FieldType.MapOf(_, var value) when name.equals("value") -> {
                steps.add(new PathStep.Values());
                yield value;
            }
            default ->
                    throw scanner.failure(
                            from, "There is no member '%s' in %s".formatted(name, at.text()));
        };
    }

    private FieldType index(FieldType at) {
        int from = scanner.position();
        scanner.acceptHere('[');
        if (!(at instanceof FieldType.ArrayOf(var element))) {
            throw scanner.failure(from, "Expected an array before '[' but it is " + at.text());
        }
        if (scanner.acceptHere('$')) {
            steps.add(new PathStep.Each(variable()));
        } else {
            int digitsFrom = scanner.position();
            String digits = scanner.take(SelectionScanner::isDigit);
            if (digits.isEmpty() || digits.length() > 9) {
                throw scanner.failure(
                        digitsFrom, "Expected an index from 0 to 999999999 or a $variable");
            }
            steps.add(new PathStep.Index(Integer.parseInt(digits)));
        }
        close(']');
        return element;
    }

    private FieldType key(FieldType at) {
        int from = scanner.position();
        scanner.acceptHere('{');
        if (scanner.acceptHere('$')) {
            steps.add(new PathStep.Each(variable()));
            close('}');
            return switch (at) {
                case FieldType.MapOf(_, var value) -> value;
                case FieldType.WeightedSetOf _ -> FieldType.Primitive.INT;
                default -> throw noMap(from, at);
            };
        }
        String text = scanner.next() == '"' ? scanner.quoted() : scanner.take(each -> each != '}');
        close('}');
        return switch (at) {
            case FieldType.MapOf(var key, var value) -> {
                steps.add(new PathStep.Key(key(from, key, text)));
                yield value;
            }
            case FieldType.WeightedSetOf(var element) -> {
                steps.add(new PathStep.Key(key(from, element, text)));
                yield FieldType.Primitive.INT;
            }
            default -> throw noMap(from, at);
        };
    }

    private InvalidSelectionException noMap(int from, FieldType at) {
        return scanner.failure(
                from, "Expected a map or a weighted set before '{' but it is " + at.text());
    }

    /** Parses a key of a map with keys of a type. */
    private FieldValue key(int from, FieldType type, String text) {
        if (!(type instanceof FieldType.Primitive primitive)) {
            throw scanner.failure(
                    from, "Keys of type %s cannot be used in a path".formatted(type.text()));
        }
        try {
            return switch (primitive.stored()) {
                case BOOL -> new FieldValue.BoolValue(Boolean.parseBoolean(text));
                case INT -> new FieldValue.IntValue(Integer.parseInt(text));
                case LONG -> new FieldValue.LongValue(Long.parseLong(text));
                case FLOAT -> new FieldValue.FloatValue(Float.parseFloat(text));
                case DOUBLE -> new FieldValue.DoubleValue(Double.parseDouble(text));
                case STRING, BYTE, FLOAT16, URI, RAW, PREDICATE -> new FieldValue.StringValue(text);
            };
        } catch (NumberFormatException _) {
            throw scanner.failure(
                    from, "Expected a key of type %s but found '%s'".formatted(type.text(), text));
        }
    }

    private String variable() {
        String name = scanner.word();
        if (name.isEmpty()) {
            throw scanner.expected("the name of a variable");
        }
        return name;
    }

    private void close(char bracket) {
        if (!scanner.accept(String.valueOf(bracket))) {
            throw scanner.expected("'" + bracket + "'");
        }
    }
}
