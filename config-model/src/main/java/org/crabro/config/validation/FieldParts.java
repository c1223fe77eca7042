package org.crabro.config.validation;

import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.Field;
import org.crabro.document.FieldType;

/** Finds parts of structs, of structs in arrays, and of maps, by their paths. */
final class FieldParts {
    private FieldParts() {}

    /**
     * Returns the type of a field, or of a part of one: {@code people.name}, {@code
     * links.value.title}. Elements of arrays have no step in a path.
     */
    static Optional<FieldType> type(String path, Map<String, SchemaField> fields) {
        String[] names = path.split("\\.", -1);
        SchemaField root = fields.get(names[0]);
        Optional<FieldType> type = Optional.ofNullable(root).map(field -> field.field().type());
        for (int i = 1; i < names.length; i++) {
            String part = names[i];
            type = type.flatMap(of -> part(of, part));
        }
        return type;
    }

    private static Optional<FieldType> part(FieldType of, String name) {
        return switch (of) {
            case FieldType.ArrayOf(var element) -> part(element, name);
            case FieldType.StructOf struct ->
                    struct.fields().stream()
                            .filter(field -> field.name().equals(name))
                            .findFirst()
                            .map(Field::type);
            case FieldType.MapOf(var key, _) when name.equals("key") -> Optional.of(key);
            case FieldType.MapOf(_, var value) when name.equals("value") -> Optional.of(value);
            default -> Optional.empty();
        };
    }
}
