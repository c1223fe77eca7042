package org.crabro.content.match;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.document.Field;

/**
 * The fields that a query reads, numbered from 0, so that a scan finds a block's column by an index
 * and looks names up once per block. Filled while a query is compiled, by one thread.
 */
public final class QueryFields {
    private final Map<Field, Integer> numbers = new LinkedHashMap<>();

    /** Returns the number of {@code field}, a new one where it had none. */
    public int number(Field field) {
        Integer known = numbers.get(field);
        if (known != null) {
            return known;
        }
        int number = numbers.size();
        numbers.put(field, number);
        return number;
    }

    /** Returns the fields by number. */
    public List<Field> all() {
        return List.copyOf(numbers.keySet());
    }
}
