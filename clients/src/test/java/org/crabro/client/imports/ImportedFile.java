package org.crabro.client.imports;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an import makes of a file.
 *
 * @param puts the fields of the documents
 * @param losses a line for each loss
 */
record ImportedFile(GuessedSchema schema, List<JsonNode> puts, List<String> losses) {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    static ImportedFile of(Path file) throws IOException {
        ImportSource source = ImportSource.of(file);
        var losses = new ImportLosses();
        GuessedSchema schema;
        try (RecordReader records = source.open(_ -> {}, losses)) {
            schema = SchemaGuess.of(source.typeName(), records, _ -> {});
        }
        List<JsonNode> puts = new ArrayList<>();
        try (var documents = new DocumentPuts(source.open(), schema, "me", new ImportLosses())) {
            for (Optional<DocumentPuts.Put> next = documents.next();
                    next.isPresent();
                    next = documents.next()) {
                puts.add(JSON.readTree(JSON.writeValueAsString(next.get().fields())));
            }
        }
        return new ImportedFile(schema, puts, losses.lines());
    }

    /** Returns the names and types of the fields. */
    String fields() {
        return text(schema.fields());
    }

    /** Returns the names and types of the fields of a column. */
    String fieldsOf(String column) {
        return text(schema.fields().stream().filter(each -> each.source().equals(column)).toList());
    }

    /** Returns the value of a field of a document, as JSON; empty if it has none. */
    String value(int document, String field) {
        JsonNode value = puts.get(document).get(field);
        return value == null ? "" : value.toString();
    }

    private static String text(List<GuessedField> fields) {
        return fields.stream()
                .map(field -> field.name() + " " + text(field.type()))
                .collect(Collectors.joining(", "));
    }

    private static String text(GuessedType type) {
        return switch (type) {
            case GuessedType.Array(GuessedType element) -> "Array(" + text(element) + ")";
            case GuessedType.Struct(List<GuessedField> parts) -> "Struct(" + text(parts) + ")";
            case GuessedType.Vector(int size, GuessedType.Cells cells) ->
                    "Vector(" + size + " " + cells + ")";
            case GuessedType.Separated(SeparatedNumber.Sign sign, GuessedType number) ->
                    text(number) + "(" + sign + ")";
            default -> type.getClass().getSimpleName();
        };
    }
}
