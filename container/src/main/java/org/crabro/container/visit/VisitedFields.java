package org.crabro.container.visit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.Schema;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.FieldSet;
import org.crabro.container.document.InvalidRequestException;

/** The fields that a request shows, by document type. */
final class VisitedFields {
    private VisitedFields() {}

    /**
     * Returns the names of the fields, by document type.
     *
     * @param text a field set; if it belongs to a single type, documents of other types show only
     *     their ids
     * @throws InvalidRequestException if it names an unknown type or field
     */
    static Map<String, List<String>> of(Optional<String> text, List<Schema> schemas) {
        var fields = new HashMap<String, List<String>>();
        String type = text.map(VisitedFields::type).orElse("");
        if (!type.isEmpty()
                && !schemas.isEmpty()
                && schemas.stream().noneMatch(schema -> schema.name().equals(type))) {
            throw DocumentParameters.invalid(
                    "the field set '%s' is of a document type that is not visited, only %s are"
                            .formatted(
                                    text.orElse(""), schemas.stream().map(Schema::name).toList()));
        }
        for (Schema schema : schemas) {
            List<String> names;
            if (text.isEmpty()) {
                names = FieldSet.document(schema).names();
            } else if (!type.isEmpty() && !type.equals(schema.name())) {
                names = List.of();
            } else {
                names = FieldSet.parse(text.get(), schema).names();
            }
            fields.put(schema.documentType().name(), names);
        }
        return fields;
    }

    private static String type(String fieldSet) {
        int colon = fieldSet.indexOf(':');
        return colon < 0 ? "" : fieldSet.substring(0, colon);
    }
}
