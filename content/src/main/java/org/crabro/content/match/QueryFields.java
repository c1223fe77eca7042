package org.crabro.content.match;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields that a query reads, numbered from 0, so that a scan finds a block's column by an index
 * and looks names up once per block. Filled while a query is compiled, by one thread.
 */
public final class QueryFields {
    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    /** Returns the number of {@code field}, a new one where it had none. */
    public int number(String field) {
        Integer known = numbers.get(field);
        if (known != null) {
            return known;
        }
        int number = numbers.size();
        numbers.put(field, number);
        return number;
    }

    /** Returns the names by number. */
    public List<String> names() {
        return List.copyOf(numbers.keySet());
    }
}
