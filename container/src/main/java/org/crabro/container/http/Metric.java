package org.crabro.container.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;

/**
 * The values of one metric.
 *
 * @param name such as {@code query_latency}
 * @param dimensions distinguish metrics with the same name, sorted
 * @param values by suffix, such as {@code average}; each is finite
 */
record Metric(String name, Map<String, String> dimensions, Map<String, Double> values) {
    /** Whole numbers up to this one are written without a fraction. */
    private static final double WHOLE_MAX = 1L << 53;

    Metric {
        dimensions = Collections.unmodifiableMap(new TreeMap<>(dimensions));
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Returns the value under {@code suffix}, 0 if there is none. */
    double value(String suffix) {
        return values.getOrDefault(suffix, 0.0);
    }

    /** Returns a value as text, whole numbers without a fraction. */
    static String text(double value) {
        return isWhole(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** Writes a member, whole numbers without a fraction. */
    static void write(JsonGenerator json, String name, double value) {
        if (isWhole(value)) {
            json.writeNumberProperty(name, (long) value);
        } else {
            json.writeNumberProperty(name, value);
        }
    }

    /** Writes the member {@code dimensions}. */
    static void write(JsonGenerator json, Map<String, String> dimensions) {
        json.writeObjectPropertyStart("dimensions");
        dimensions.forEach(json::writeStringProperty);
        json.writeEndObject();
    }

    private static boolean isWhole(double value) {
        return value == Math.rint(value) && Math.abs(value) <= WHOLE_MAX;
    }
}
