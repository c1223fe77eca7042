package org.crabro.content.search.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.FieldPart;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.Field;

/**
 * The fields that a query reads, and parts of fields, numbered from 0. A scan finds a block's
 * column by this number, and looks up names once per block. Filled by one thread during the
 * compilation of a query.
 */
public final class QueryFields {
    // A list, since there are few fields and the hashes of their types are slow.
    private final List<Field> fields = new ArrayList<>();
    private final List<Optional<FieldPart>> parts = new ArrayList<>();

    /** Returns the number of {@code field}. Assigns a new one if necessary. */
    public int number(Field field) {
        return number(field, Optional.empty());
    }

    /** Returns the number of a part of a field. Assigns a new one if necessary. */
    public int number(FieldPart part) {
        return number(part.field().field(), Optional.of(part));
    }

    /** Returns the number of a field of a schema, or of a part of one. */
    public int number(SchemaField field, Schema schema) {
        String name = field.field().name();
        return schema.fields().containsKey(name)
                ? number(field.field())
                : number(field.field(), schema.part(name));
    }

    private int number(Field field, Optional<FieldPart> part) {
        int index = fields.indexOf(field);
        if (index >= 0) {
            return index;
        }
        fields.add(field);
        parts.add(part);
        return fields.size() - 1;
    }

    /** Returns the fields and parts by number. */
    public List<Field> all() {
        return List.copyOf(fields);
    }

    /** Returns what is a part of a field, by number; empty for whole fields. */
    public List<Optional<FieldPart>> parts() {
        return List.copyOf(parts);
    }
}
