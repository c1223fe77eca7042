package org.crabro.config.schema;

import java.util.Map;

/**
 * How queries match the texts of a field.
 *
 * @param mode how the field is matched
 * @param parts how parts of the field are matched, by path; these parts are searched
 * @param readings how words of queries are read, by path, with an empty path for the field itself;
 *     only those that are not normal
 */
public record MatchRules(
        MatchMode mode, Map<String, MatchMode> parts, Map<String, WordReading> readings) {
    public MatchRules {
        parts = Map.copyOf(parts);
        readings = Map.copyOf(readings);
    }

    /** Rules with normal reading of words. */
    public MatchRules(MatchMode mode, Map<String, MatchMode> parts) {
        this(mode, parts, Map.of());
    }

    /** Returns how texts in a part of the field are matched, by its path. */
    public MatchMode of(String path) {
        return parts.getOrDefault(path, mode);
    }

    /** Returns how words are read for a part of the field, by its path; empty for the field. */
    public WordReading reading(String path) {
        return readings.getOrDefault(parts.containsKey(path) ? path : "", WordReading.NORMAL);
    }
}
