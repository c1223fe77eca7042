package org.crabro.client.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes a guessed schema in the language of schemas. */
final class SchemaText {
    private final StringBuilder structs = new StringBuilder();
    private final StringBuilder fields = new StringBuilder();
    private final GuessedSchema schema;

    private final Optional<Embedding> embedding;

    private SchemaText(GuessedSchema schema, Optional<Embedding> embedding) {
        this.schema = schema;
        this.embedding = embedding;
    }

    static String of(GuessedSchema schema, Optional<Embedding> embedding) {
        return new SchemaText(schema, embedding).text();
    }

    private String text() {
        schema.fields().forEach(this::field);
        String type = schema.typeName();
        var text = new StringBuilder();
        text.append("# Guessed from the data. Change it, then import again.\n");
        text.append("schema ").append(type).append(" {\n\n");
        text.append("  document ").append(type).append(" {\n");
        text.append(structs).append(fields);
        text.append(
                """

                    # Written by crabro import: a hash of the document, and its source.
                    field %s type string {
                      indexing: attribute
                      match: word
                    }
                """
                        .formatted(GuessedSchema.MARK));
        text.append("  }\n");
        embedding.ifPresent(each -> text.append(each.field()));
        List<String> words = schema.wordFields();
        if (!words.isEmpty()) {
            text.append("\n  # Searched by words without a field.\n");
            text.append("  fieldset default {\n    fields: ");
            text.append(String.join(", ", words)).append("\n  }\n");
        }
        List<String> texts = schema.textFields();
        if (!texts.isEmpty()) {
            text.append("\n  rank-profile words {\n    first-phase {\n      expression: ");
            text.append(
                    texts.stream().map("bm25(%s)"::formatted).collect(Collectors.joining(" + ")));
            text.append("\n    }\n  }\n");
        }
        embedding.ifPresent(each -> text.append(each.profile(texts)));
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
        if (type instanceof GuessedType.Keyword || type instanceof GuessedType.Original) {
            fields.append("      match: word\n");
        }
        kind(type).ifPresent(kind -> fields.append("      kind: ").append(kind).append('\n'));
        if (type instanceof GuessedType.Array(GuessedType.Struct(List<GuessedField> parts))) {
            parts.forEach(this::part);
        }
        fields.append("    }\n");
    }

    /** Makes a part of objects in a list searchable. */
    private void part(GuessedField part) {
        String search = search(part.type()).replace(" | ", "");
        if (!search.isEmpty()) {
            fields.append("      struct-field ").append(part.name());
            Optional<String> kind = kind(part.type());
            fields.append(
                    kind.isEmpty()
                            ? " { indexing: %s }\n".formatted(search)
                            : " {\n        indexing: %s\n        kind: %s\n      }\n"
                                    .formatted(search, kind.get()));
        }
    }

    /** Returns what the numbers of a field count, if they are times. */
    private static Optional<String> kind(GuessedType type) {
        return switch (type) {
            case GuessedType.Time(boolean isDay) -> Optional.of(isDay ? "date" : "time");
            case GuessedType.Array(GuessedType element) -> kind(element);
            default -> Optional.empty();
        };
    }

    private void comment(GuessedField field) {
        List<String> remarks = new ArrayList<>();
        String source = MemberPath.shown(field.source());
        boolean isMember = !(field.type() instanceof GuessedType.Others);
        if (isMember && !source.equals(field.name())) {
            // The name in the data may contain line ends.
            remarks.add("'%s' in the data".formatted(source.replaceAll("\\s+", " ")));
        }
        remark(field.type()).ifPresent(remarks::add);
        if (!remarks.isEmpty()) {
            fields.append("\n    # ").append(String.join("; ", remarks));
        }
    }

    private static Optional<String> remark(GuessedType type) {
        return switch (type) {
            case GuessedType.Time _, GuessedType.Array(GuessedType.Time _) ->
                    Optional.of("seconds since 1970, UTC");
            case GuessedType.Json _ -> Optional.of("JSON, because its values have several shapes");
            case GuessedType.Nearest _ -> Optional.of("the nearest numbers to the texts above");
            case GuessedType.Original _ -> Optional.of("the values above as they are given");
            case GuessedType.Others _ -> Optional.of("JSON of all members without a field");
            default -> Optional.empty();
        };
    }

    private String type(GuessedType type, String name) {
        return switch (type) {
            case GuessedType.Strings _ -> "string";
            case GuessedType.Whole _, GuessedType.Time _ -> "long";
            case GuessedType.Decimal _, GuessedType.Nearest _ -> "double";
            case GuessedType.Single _ -> "float";
            case GuessedType.Separated(SeparatedNumber.Sign _, GuessedType number) ->
                    type(number, name);
            case GuessedType.Truth _ -> "bool";
            case GuessedType.Raw _ -> "raw";
            case GuessedType.Vector(int size, GuessedType.Cells cells) ->
                    "tensor<%s>(x[%d])".formatted(cells(cells), size);
            case GuessedType.Array(GuessedType element) -> "array<" + type(element, name) + ">";
            case GuessedType.Struct(List<GuessedField> parts) -> struct(parts, name);
        };
    }

    private static String cells(GuessedType.Cells cells) {
        return cells.name().toLowerCase(Locale.ROOT);
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
            case GuessedType.Text _, GuessedType.Json _, GuessedType.Others _ -> " | index";
            case GuessedType.Array(GuessedType element) -> search(element);
            case GuessedType.Struct _, GuessedType.Raw _ -> "";
            default -> " | attribute";
        };
    }

    private static void near(GuessedField field, StringBuilder text) {
        if (field.type() instanceof GuessedType.Vector(int size, GuessedType.Cells cells)) {
            text.append(
                    """

                      rank-profile near_%s {
                        inputs {
                          query(vector) tensor<%s>(x[%d])
                        }
                        first-phase {
                          expression: closeness(field, %s)
                        }
                      }
                    """
                            .formatted(field.name(), cells(cells), size, field.name()));
        }
    }
}
