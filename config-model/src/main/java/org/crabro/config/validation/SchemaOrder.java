package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.SchemaDeclaration;

/**
 * The order in which schemas are compiled: those of other types that a schema refers to come first,
 * because it can import their fields.
 */
public final class SchemaOrder {
    private final Map<String, Optional<SchemaDeclaration>> declarations;
    private final Set<String> ordered = new LinkedHashSet<>();
    private final Set<String> seen = new LinkedHashSet<>();

    private SchemaOrder(Map<String, Optional<SchemaDeclaration>> declarations) {
        this.declarations = declarations;
    }

    /**
     * Returns the names of all schemas. Schemas that refer to each other are in any order; {@link
     * ReferenceCheck} reports them.
     *
     * @param declarations by name, with all inherited parts
     */
    public static List<String> parentsFirst(Map<String, Optional<SchemaDeclaration>> declarations) {
        var order = new SchemaOrder(declarations);
        declarations.keySet().forEach(order::add);
        return List.copyOf(order.ordered);
    }

    private void add(String name) {
        if (!declarations.containsKey(name) || !seen.add(name)) {
            return;
        }
        declarations
                .get(name)
                .map(SchemaOrder::fields)
                .orElse(List.of())
                .forEach(field -> {
                    if (field.type().name().equals("reference")) {
                        field.type().arguments().forEach(target -> add(target.name()));
                    }
                });
        ordered.add(name);
    }

    /** Returns the fields of a schema, without imported ones. */
    static List<FieldDeclaration> fields(SchemaDeclaration declaration) {
        var fields = new ArrayList<FieldDeclaration>();
        declaration.types().documents().forEach(document -> fields.addAll(document.fields()));
        fields.addAll(declaration.fields().outside());
        return fields;
    }
}
