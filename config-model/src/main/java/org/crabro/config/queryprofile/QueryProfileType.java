package org.crabro.config.queryprofile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which values a profile may have, what is inherited included.
 *
 * @param id as written
 * @param above the ids of all that it inherits, by however many steps
 * @param isStrict whether there may be no others
 * @param matchesPath whether a profile {@code a} is taken for {@code a/b} where there is no such
 * @param isNative whether the parameters that have a meaning of their own may be there, too
 * @param fields by name
 */
public record QueryProfileType(
        String id,
        Set<String> above,
        boolean isStrict,
        boolean matchesPath,
        boolean isNative,
        Map<String, Field> fields) {
    /** The type of all parameters that have a meaning of their own. */
    static final QueryProfileType NATIVE =
            new QueryProfileType(ProfileTypeReader.NATIVE, Set.of(), false, false, true, Map.of());

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
     * A value that there may be.
     *
     * @param isMandatory whether a request without it is refused
     * @param isOverridable whether a request may say another
     * @param aliases other names that a request may use, in any case
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
