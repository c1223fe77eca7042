package org.crabro.config.validation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.crabro.config.schema.FieldPart;
import org.crabro.config.schema.SchemaField;

/**
 * The fields of a schema as its rank profiles see them.
 *
 * @param declared by name, with imported fields
 * @param broken the fields whose types are invalid, and imported fields that could not be resolved;
 *     their uses report no further problem
 */
record ProfileFields(Map<String, SchemaField> declared, Set<String> broken) {
    /** Returns a field, or a searched part of a field. */
    Optional<SchemaField> fieldOrPart(String name) {
        return Optional.ofNullable(declared.get(name))
                .or(() -> FieldPart.of(name, declared).map(FieldPart::field));
    }

    /** Returns whether a name is a part of a broken field, or such a field. */
    boolean isBroken(String name) {
        return broken.contains(name) || broken.contains(name.split("\\.", 2)[0]);
    }

    /** Returns the fields by name, and the parts with settings by path. */
    Map<String, SchemaField> withParts() {
        var all = new LinkedHashMap<String, SchemaField>();
        declared.forEach((name, field) -> {
            all.put(name, field);
            for (String path : new TreeSet<>(field.matching().parts().keySet())) {
                String part = name + "." + path;
                fieldOrPart(part).ifPresent(schemaField -> all.put(part, schemaField));
            }
        });
        return all;
    }

    /** Returns the names of the fields, and of parts with settings, that fit. */
    Set<String> names(Predicate<SchemaField> fits) {
        var names = new TreeSet<String>();
        withParts()
                .forEach((name, field) -> {
                    if (fits.test(field)) {
                        names.add(name);
                    }
                });
        return names;
    }
}
