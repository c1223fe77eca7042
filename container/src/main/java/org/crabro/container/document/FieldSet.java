package org.crabro.container.document;

import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.Schema;
import org.crabro.document.Field;

/**
 * The fields of a document that are shown.
 *
 * <pre>
 *   set   := "[all]" | "[document]" | "[id]" | "[docid]" | "[none]"
 *          | type ":" ( "[all]" | "[document]" | names )
 *   names := name { "," name }          ; of fields, or of one fieldset of the schema
 * </pre>
 */
public final class FieldSet {
    private final List<Field> fields;

    private FieldSet(List<Field> fields) {
        this.fields = fields;
    }

    /** Returns the fields, in the order of the schema. */
    List<Field> fields() {
        return fields;
    }

    /** Returns the names of the fields, in the order of the schema. */
    public List<String> names() {
        return fields.stream().map(Field::name).toList();
    }

    /** Returns the fields of the schema's document block. */
    public static FieldSet document(Schema schema) {
        return of(schema, Field::inDocument);
    }

    /**
     * Parses a field set for documents of {@code schema}.
     *
     * @throws InvalidRequestException if it names an unknown type or field
     */
    public static FieldSet parse(String text, Schema schema) {
        int colon = text.indexOf(':');
        if (colon >= 0 && !text.substring(0, colon).equals(schema.name())) {
            throw DocumentParameters.invalid(
                    "the field set '%s' is not of document type '%s'"
                            .formatted(text, schema.name()));
        }
        String fieldsText = text.substring(colon + 1);
        return switch (fieldsText) {
            case "[all]" -> of(schema, _ -> true);
            case "[document]" -> document(schema);
            case "[id]", "[docid]", "[none]" -> of(schema, _ -> false);
            default -> {
                if (colon < 0) {
                    throw DocumentParameters.invalid(
                            ("unknown field set '%s': expected [all], [document], [id] or"
                                            + " %s:name,name")
                                    .formatted(text, schema.name()));
                }
                yield named(fieldsText, schema);
            }
        };
    }

    private static FieldSet named(String list, Schema schema) {
        Fieldset fieldset = schema.names().fieldsets().get(list);
        if (fieldset != null && schema.field(list).isEmpty()) {
            // A part of a field shows the whole field.
            return of(
                    schema,
                    field ->
                            fieldset.fields().stream()
                                    .map(member -> member.split("\\.", 2)[0])
                                    .anyMatch(field.name()::equals));
        }
        var names = new HashSet<String>();
        for (String name : list.split(",", -1)) {
            if (schema.documentType().field(name.strip()).isEmpty()) {
                throw DocumentParameters.invalid(
                        "document type '%s' has no field or fieldset '%s'"
                                .formatted(schema.name(), name.strip()));
            }
            names.add(name.strip());
        }
        return of(schema, field -> names.contains(field.name()));
    }

    private static FieldSet of(Schema schema, Predicate<Field> shown) {
        return new FieldSet(schema.documentType().fields().stream().filter(shown).toList());
    }
}
