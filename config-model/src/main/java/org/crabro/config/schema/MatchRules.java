package org.crabro.config.schema;

import java.util.Map;

/**
 * How queries match the texts of a field.
 *
 * @param mode how the field is matched
 * @param parts how parts of the field are matched, by path; these parts are searched
 */
public record MatchRules(MatchMode mode, Map<String, MatchMode> parts) {
    public MatchRules {
        parts = Map.copyOf(parts);
    }

    /** Returns how texts in a part of the field are matched, by its path. */
    public MatchMode of(String path) {
        return parts.getOrDefault(path, mode);
    }
}
