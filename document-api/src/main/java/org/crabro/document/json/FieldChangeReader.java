package org.crabro.document.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.json.FieldValueReader.UnfitValueException;
import org.crabro.document.operation.FieldChange;
import org.crabro.document.operation.FieldChange.Operator;
import org.crabro.document.operation.FieldUpdate;
import org.crabro.document.operation.UpdateStep;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the changes of one field, with the parser at the start of their object.
 *
 * <pre>
 *   changes := "{" { operation ":" operand } "}"
 *   match   := "{" "element" ":" scalar "," operation ":" operand "}"
 * </pre>
 */
final class FieldChangeReader {
    private static final String OPERATIONS =
            "assign, add, remove, increment, decrement, multiply, divide, match, modify";
    private static final String PATH_OPERATIONS =
            "assign, add, remove, increment, decrement, multiply, divide";

    private final String field;
    private final WeightRules weights;
    private final FieldValueReader values;
    private final JsonParser parser;
    private final List<FieldUpdate> into;

    /** A change and the path from the current value to the changed part. */
    private record PlacedChange(List<UpdateStep> path, FieldChange change) {
        static PlacedChange here(FieldChange change) {
            return new PlacedChange(List.of(), change);
        }

        PlacedChange in(UpdateStep step) {
            var longer = new ArrayList<UpdateStep>();
            longer.add(step);
            longer.addAll(path);
            return new PlacedChange(longer, change);
        }
    }

    /**
     * @param into receives the updates
     */
    FieldChangeReader(
            String field,
            WeightRules weights,
            FieldValueReader values,
            JsonParser parser,
            List<FieldUpdate> into) {
        this.field = field;
        this.values = values;
        this.weights = weights;
        this.parser = parser;
        this.into = into;
    }

    /** Reads changes of the whole field. */
    void readField(FieldType type) {
        expectObject();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String operation = parser.currentName();
            parser.nextToken();
            PlacedChange read = change(operation, type);
            into.add(new FieldUpdate(field, read.path, read.change));
        }
    }

    /** Reads changes of the part at the end of a path. */
    void readPath(UpdatePath path) {
        expectObject();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String operation = parser.currentName().toLowerCase(Locale.ROOT);
            parser.nextToken();
            into.add(new FieldUpdate(field, path.steps(), pathChange(operation, path.end())));
        }
    }

    private void expectObject() {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw FieldValueReader.unexpected(
                    "an object with an operation such as {\"assign\": value}", parser);
        }
    }

    private FieldChange pathChange(String operation, FieldType type) {
        return switch (operation) {
            case "assign" -> assign(type);
            case "remove" -> {
                if (!parser.currentToken().isScalarValue()) {
                    throw FieldValueReader.unexpected(
                            "a number or text, which is ignored, after 'remove'", parser);
                }
                yield new FieldChange.Clear();
            }
            case "add" -> {
                if (!(type instanceof FieldType.ArrayOf)) {
                    throw new UnfitValueException(
                            "'add' after a path is for arrays, not for " + type.text());
                }
                yield new FieldChange.Add(values.read(type, parser));
            }
            case "increment", "decrement", "multiply", "divide" -> arithmetic(operation, type);
            default ->
                    throw new UnfitValueException(
                            "there is no operation '%s' after a path, only %s"
                                    .formatted(operation, PATH_OPERATIONS));
        };
    }

    private PlacedChange change(String operation, FieldType type) {
        return switch (operation) {
            case "assign" -> PlacedChange.here(assign(type));
            case "add" -> PlacedChange.here(add(type));
            case "remove" -> PlacedChange.here(remove(type));
            case "increment", "decrement", "multiply", "divide" ->
                    PlacedChange.here(arithmetic(operation, type));
            case "match" -> match(type);
            case "modify" -> {
                if (!(type instanceof FieldType.TensorOf(var tensor))) {
                    throw notFor(operation, "tensors", type);
                }
                yield PlacedChange.here(new TensorUpdateReader(tensor, parser, values).modify());
            }
            default ->
                    throw new UnfitValueException(
                            "there is no operation '%s', only %s".formatted(operation, OPERATIONS));
        };
    }

    private FieldChange assign(FieldType type) {
        return parser.currentToken() == JsonToken.VALUE_NULL
                ? new FieldChange.Clear()
                : new FieldChange.Assign(values.read(type, parser));
    }

    private FieldChange add(FieldType type) {
        return switch (type) {
            case FieldType.ArrayOf _, FieldType.WeightedSetOf _ ->
                    new FieldChange.Add(values.read(type, parser));
            case FieldType.TensorOf(var tensor) ->
                    new TensorUpdateReader(tensor, parser, values).add();
            case FieldType.MapOf _ ->
                    throw new UnfitValueException(
                            "'add' is not for maps: assign to a path such as '%s{key}'"
                                    .formatted(field));
            case FieldType.Primitive _, FieldType.StructOf _, FieldType.ReferenceOf _ ->
                    throw notFor("add", "arrays, weighted sets and tensors", type);
        };
    }

    private FieldChange remove(FieldType type) {
        return switch (type) {
            case FieldType.ArrayOf _ ->
                    values.read(type, parser) instanceof FieldValue.ArrayValue array
                            ? new FieldChange.Remove(array.elements())
                            : new FieldChange.Remove(List.of());
            case FieldType.WeightedSetOf _ ->
                    values.read(type, parser) instanceof FieldValue.WeightedSetValue set
                            ? new FieldChange.Remove(List.copyOf(set.weights().keySet()))
                            : new FieldChange.Remove(List.of());
            case FieldType.TensorOf(var tensor) ->
                    new TensorUpdateReader(tensor, parser, values).remove();
            case FieldType.MapOf _ ->
                    throw new UnfitValueException(
                            "'remove' is not for maps: remove a path such as '%s{key}'"
                                    .formatted(field));
            case FieldType.Primitive _, FieldType.StructOf _, FieldType.ReferenceOf _ ->
                    throw notFor("remove", "arrays, weighted sets and tensors", type);
        };
    }

    private FieldChange arithmetic(String operation, FieldType type) {
        if (!(type instanceof FieldType.Primitive primitive) || !primitive.isNumber()) {
            throw notFor(operation, "numbers", type);
        }
        double operand = FieldValueReader.cell(parser);
        if (!Double.isFinite(operand)) {
            throw FieldValueReader.unexpected("a finite number", parser);
        }
        Operator operator =
                switch (operation) {
                    case "increment" -> Operator.ADD;
                    case "decrement" -> Operator.SUBTRACT;
                    case "multiply" -> Operator.MULTIPLY;
                    default -> Operator.DIVIDE;
                };
        return new FieldChange.Arithmetic(operator, operand);
    }

    private PlacedChange match(FieldType type) {
        FieldType inside =
                switch (type) {
                    case FieldType.ArrayOf(var element) -> element;
                    case FieldType.WeightedSetOf _ -> FieldType.Primitive.INT;
                    case FieldType.MapOf _ ->
                            throw new UnfitValueException(
                                    "'match' is not for maps: use a path such as '%s{key}'"
                                            .formatted(field));
                    case FieldType.Primitive _,
                            FieldType.StructOf _,
                            FieldType.ReferenceOf _,
                            FieldType.TensorOf _ ->
                            throw notFor("match", "arrays and weighted sets", type);
                };
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw FieldValueReader.unexpected("an object with 'element' and an operation", parser);
        }
        UpdateStep step = null;
        PlacedChange change = null;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            parser.nextToken();
            if (member.equals("element")) {
                step = element(type);
            } else if (change == null) {
                change = change(member, inside);
            } else {
                throw new UnfitValueException(
                        "'match' has one operation, but '%s' is another".formatted(member));
            }
        }
        if (step == null || change == null) {
            throw new UnfitValueException("'match' needs 'element' and an operation");
        }
        return change.in(step);
    }

    private UpdateStep element(FieldType type) {
        if (!parser.currentToken().isScalarValue()
                || parser.currentToken() == JsonToken.VALUE_NULL) {
            throw FieldValueReader.unexpected("a number or text as 'element'", parser);
        }
        String text = parser.getString();
        if (type instanceof FieldType.WeightedSetOf(var element)) {
            return new UpdateStep.Weight(
                    ValueText.parse(element, text),
                    weights.createsMissing(),
                    weights.removesZero());
        }
        try {
            int index = Integer.parseInt(text);
            if (index >= 0) {
                return new UpdateStep.Index(index);
            }
        } catch (NumberFormatException _) {
            // Reported below, as an invalid number.
        }
        throw FieldValueReader.unexpected("an index from 0 as 'element'", parser);
    }

    private static UnfitValueException notFor(String operation, String what, FieldType type) {
        return new UnfitValueException(
                "'%s' is for %s, not for %s".formatted(operation, what, type.text()));
    }
}
