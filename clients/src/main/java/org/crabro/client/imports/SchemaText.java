package org.crabro.client.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes a guessed schema in the language of schemas. */
final class SchemaText {
    private final StringBuilder structs = new StringBuilder();
    private final StringBuilder fields = new StringBuilder();
    private final GuessedSchema schema;

    private SchemaText(GuessedSchema schema) {
        this.schema = schema;
    }

    static String of(GuessedSchema schema) {
        return new SchemaText(schema).text();
    }

    private String text() {
        schema.fields().forEach(this::field);
        String type = schema.typeName();
        var text = new StringBuilder();
        text.append("# Guessed from the data. Change it, then import again.\n");
        text.append("schema ").append(type).append(" {\n\n");
        text.append("  document ").append(type).append(" {\n");
        text.append(structs).append(fields);
        text.append("  }\n");
        List<String> texts = schema.textFields();
        if (!texts.isEmpty()) {
            text.append("\n  # Searched by words without a field.\n");
            text.append("  fieldset default {\n    fields: ");
            text.append(String.join(", ", texts)).append("\n  }\n");
            text.append("\n  rank-profile words {\n    first-phase {\n      expression: ");
            text.append(
                    texts.stream().map("bm25(%s)"::formatted).collect(Collectors.joining(" + ")));
            text.append("\n    }\n  }\n");
        }
        schema.fields().forEach(field -> near(field, text));
        return text.append("}\n").toString();
    }

    private void field(GuessedField field) {
        String name = field.name();
        GuessedType type = field.type();
        comment(field);
        fields.append("\n    field ").append(name).append(" type ");
        fields.append(type(type, name)).append(" {\n");
        fields.append("      indexing: summary").append(search(type)).append('\n');
        if (type instanceof GuessedType.Keyword) {
            fields.append("      match: word\n");
        }
        fields.append("    }\n");
    }

    private void comment(GuessedField field) {
        List<String> remarks = new ArrayList<>();
        if (!field.source().equals(field.name())) {
            // The name in the data may contain line ends.
            remarks.add("'%s' in the data".formatted(field.source().replaceAll("\\s+", " ")));
        }
        if (field.type() instanceof GuessedType.Time) {
            remarks.add("seconds since 1970, UTC");
        } else if (field.type() instanceof GuessedType.Json) {
            remarks.add("JSON, because its values have several shapes");
        }
        if (!remarks.isEmpty()) {
            fields.append("\n    # ").append(String.join("; ", remarks));
        }
    }

    private String type(GuessedType type, String name) {
        return switch (type) {
            case GuessedType.Text _, GuessedType.Keyword _, GuessedType.Json _ -> "string";
            case GuessedType.Whole _, GuessedType.Time _ -> "long";
            case GuessedType.Decimal _ -> "double";
            case GuessedType.Truth _ -> "bool";
            case GuessedType.Vector(int size) -> "tensor<float>(x[%d])".formatted(size);
            case GuessedType.Array(GuessedType element) -> "array<" + type(element, name) + ">";
            case GuessedType.Struct(List<GuessedField> parts) -> struct(parts, name);
        };
    }

    private String struct(List<GuessedField> parts, String name) {
        String structName = name.toLowerCase(Locale.ROOT) + "_parts";
        var struct = new StringBuilder("\n    struct " + structName + " {\n");
        for (GuessedField part : parts) {
            struct.append("      field ")
                    .append(part.name())
                    .append(" type ")
                    .append(type(part.type(), name + "_" + part.name()))
                    .append(" {}\n");
        }
        structs.append(struct).append("    }\n");
        return structName;
    }

    private static String search(GuessedType type) {
        return switch (type) {
            case GuessedType.Text _ -> " | index";
            case GuessedType.Array(GuessedType.Text _) -> " | index";
            case GuessedType.Keyword _,
                    GuessedType.Whole _,
                    GuessedType.Time _,
                    GuessedType.Decimal _,
                    GuessedType.Truth _,
                    GuessedType.Vector _ ->
                    " | attribute";
            case GuessedType.Array(GuessedType element) ->
                    element instanceof GuessedType.Struct ? "" : " | attribute";
            case GuessedType.Struct _, GuessedType.Json _ -> "";
        };
    }

    private static void near(GuessedField field, StringBuilder text) {
        if (field.type() instanceof GuessedType.Vector(int size)) {
            text.append(
                    """

                      rank-profile near_%s {
                        inputs {
                          query(vector) tensor<float>(x[%d])
                        }
                        first-phase {
                          expression: closeness(field, %s)
                        }
                      }
                    """
                            .formatted(field.name(), size, field.name()));
        }
    }
}
