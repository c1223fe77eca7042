package org.crabro.client.imports;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.LegalText;
import tools.jackson.databind.json.JsonMapper;

/** Makes puts of records, with values of the types of a guessed schema. */
final class RecordPuts {
    private static final JsonMapper JSON = new JsonMapper();

    private RecordPuts() {}

    static String line(
            GuessedSchema schema, Map<String, Object> record, String group, long number) {
        String name =
                schema.idMember()
                        .map(record::get)
                        .map(Object::toString)
                        .orElseGet(() -> Long.toString(number));
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put(
                "put",
                "id:%s:%s:g=%s:%s"
                        .formatted(schema.typeName(), schema.typeName(), group, legal(name)));
        operation.put("fields", fields(schema.fields(), record));
        return JSON.writeValueAsString(operation);
    }

    private static Map<String, Object> fields(List<GuessedField> fields, Map<?, ?> record) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (GuessedField field : fields) {
            Object given = record.get(field.source());
            if (given != null) {
                value(given, field.type()).ifPresent(value -> values.put(field.name(), value));
            }
        }
        return values;
    }

    /** Returns a value in the form of a type; empty if it is an empty value. */
    private static Optional<Object> value(Object given, GuessedType type) {
        return switch (type) {
            case GuessedType.Text _, GuessedType.Keyword _ ->
                    Optional.of(legal(plain(given).toString()));
            case GuessedType.Json _ -> Optional.of(legal(JSON.writeValueAsString(plain(given))));
            case GuessedType.Whole _, GuessedType.Decimal _, GuessedType.Truth _ ->
                    given instanceof String ? Optional.empty() : Optional.of(given);
            case GuessedType.Time _ -> seconds(given).map(value -> value);
            case GuessedType.Vector _ ->
                    given instanceof List<?> list && !list.isEmpty()
                            ? Optional.of(Map.of("values", list))
                            : Optional.empty();
            case GuessedType.Array(GuessedType element) -> array(given, element);
            case GuessedType.Struct(List<GuessedField> parts) ->
                    given instanceof Map<?, ?> map && !map.isEmpty()
                            ? Optional.of(fields(parts, map))
                            : Optional.empty();
        };
    }

    private static Optional<Object> array(Object given, GuessedType element) {
        List<?> list = given instanceof List<?> several ? several : List.of(given);
        List<Object> values = new ArrayList<>();
        for (Object each : list) {
            value(each, element).ifPresent(values::add);
        }
        return values.isEmpty() ? Optional.empty() : Optional.of(values);
    }

    private static Optional<Long> seconds(Object given) {
        return given instanceof Instant time
                ? Optional.of(time.getEpochSecond())
                : DateText.parse(given.toString()).map(Instant::getEpochSecond);
    }

    /** Returns a text with spaces for characters that no text of a document can have. */
    private static String legal(String text) {
        return text.codePoints().allMatch(LegalText::isLegal)
                ? text
                : text.codePoints()
                        .map(point -> LegalText.isLegal(point) ? point : ' ')
                        .collect(
                                StringBuilder::new,
                                StringBuilder::appendCodePoint,
                                StringBuilder::append)
                        .toString();
    }

    /** Returns a value without types that JSON does not have. */
    private static Object plain(Object given) {
        return switch (given) {
            case Instant time -> time.toString();
            case List<?> list -> list.stream().map(RecordPuts::plain).toList();
            case Map<?, ?> map -> {
                Map<Object, Object> plain = new LinkedHashMap<>();
                map.forEach((name, value) -> plain.put(name, plain(value)));
                yield plain;
            }
            default -> given;
        };
    }
}
