package org.crabro.content.query;

import java.util.ArrayList;
import java.util.List;
import org.crabro.document.Field;

/**
 * The fields that a query reads, numbered from 0, so that a scan finds a block's column by an index
 * and looks names up once per block. Filled while a query is compiled, by one thread.
 */
public final class QueryFields {
    // They are few, and hashes of their types are long to compute.
    private final List<Field> fields = new ArrayList<>();

    /** Returns the number of {@code field}, a new one where it had none. */
    public int number(Field field) {
        int known = fields.indexOf(field);
        if (known >= 0) {
            return known;
        }
        fields.add(field);
        return fields.size() - 1;
    }

    /** Returns the fields by number. */
    public List<Field> all() {
        return List.copyOf(fields);
    }
}
