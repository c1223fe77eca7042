package org.crabro.config.queryprofile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which values a profile may have, what is inherited included.
 *
 * @param id as written
 * @param isStrict whether there may be no others
 * @param matchesPath whether a profile {@code a} is taken for {@code a/b} where there is no such
 * @param isNative whether the parameters that have a meaning of their own may be there, too
 * @param fields by name
 */
public record QueryProfileType(
        String id,
        boolean isStrict,
        boolean matchesPath,
        boolean isNative,
        Map<String, Field> fields) {
    public QueryProfileType {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
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
