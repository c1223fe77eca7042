package org.crabro.config.queryprofile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The values that a profile of this type can have, including inherited declarations.
 *
 * @param id as written
 * @param above the ids of all types that it inherits, directly or indirectly
 * @param isStrict whether other values are rejected
 * @param matchesPath whether profile {@code a} is used for {@code a/b} if that does not exist
 * @param isNative whether the built-in parameters are allowed, too
 * @param fields by name
 */
public record QueryProfileType(
        String id,
        Set<String> above,
        boolean isStrict,
        boolean matchesPath,
        boolean isNative,
        Map<String, Field> fields) {
    public QueryProfileType {
        above = Set.copyOf(above);
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** Returns whether it is the type {@code other}, or inherits it. */
    boolean isA(String other) {
        return id.equals(other) || above.contains(other);
    }

    /** Returns whether there may be a value called {@code name}. */
    boolean allows(String name) {
        return !isStrict
                || isNative
                || fields.keySet().stream()
                        .anyMatch(each -> name.equals(each) || name.startsWith(each + "."));
    }

    /**
     * A declared value.
     *
     * @param isMandatory whether a request without it is rejected
     * @param isOverridable whether a request may override it
     * @param aliases other names for requests, ignoring case
     */
    public record Field(
            String name,
            ValueType type,
            boolean isMandatory,
            boolean isOverridable,
            List<String> aliases) {
        public Field {
            aliases = List.copyOf(aliases);
        }
    }
}
