package org.crabro.container.query;

import java.util.LinkedHashMap;
import java.util.Map;
import org.crabro.document.memory.ValueMeter;

/** The parameters of a request while they are read. Limits their number and their memory. */
final class ParameterValues {
    /** The most parameters of a request. */
    static final int COUNT_MAX = 20_000;

    /** Entries of the maps that a parameter is in, in bytes. */
    private static final int ENTRY = 300;

    private static final int CHARACTER = 2;

    private final Map<String, String> values = new LinkedHashMap<>();

    /** Charges in steps, so that a small query is answered if others have all memory. */
    private final ValueMeter memory = new ValueMeter();

    /**
     * Adds a value. If the name occurs more than once, the last value and its position count.
     *
     * @throws IllegalQueryException if there are too many parameters
     */
    void put(String name, String value) {
        memory.add(ENTRY + (long) CHARACTER * (name.length() + value.length()));
        values.remove(name);
        values.put(name, value);
        if (values.size() > COUNT_MAX) {
            throw new IllegalQueryException(
                    ErrorCode.BAD_REQUEST, "a request may have %d parameters".formatted(COUNT_MAX));
        }
    }

    Map<String, String> values() {
        return values;
    }
}
