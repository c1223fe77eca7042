package org.crabro.config.schema;

import java.util.Map;

/**
 * The names in queries that are not names of the fields of a type.
 *
 * @param fieldsets by name
 * @param aliases other names of fields, parts of fields and fieldsets, with the names themselves
 * @param imports fields of other documents, by their names here
 */
public record FieldNames(
        Map<String, Fieldset> fieldsets,
        Map<String, String> aliases,
        Map<String, ImportedField> imports) {
    /** No further names. */
    public static final FieldNames NONE = new FieldNames(Map.of(), Map.of(), Map.of());

    public FieldNames {
        fieldsets = Map.copyOf(fieldsets);
        aliases = Map.copyOf(aliases);
        imports = Map.copyOf(imports);
    }
}
