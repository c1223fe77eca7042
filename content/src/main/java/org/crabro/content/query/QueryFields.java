package org.crabro.content.query;

import java.util.ArrayList;
import java.util.List;
import org.crabro.document.Field;

/**
 * The fields that a query reads, numbered from 0. A scan finds a block's column by this number, and
 * looks up names once per block. Filled by one thread during the compilation of a query.
 */
public final class QueryFields {
    // A list, since there are few fields and the hashes of their types are slow.
    private final List<Field> fields = new ArrayList<>();

    /** Returns the number of {@code field}. Assigns a new one if necessary. */
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
