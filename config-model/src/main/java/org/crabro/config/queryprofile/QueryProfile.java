package org.crabro.config.queryprofile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Values for request parameters, as one file gives them.
 *
 * @param id as written
 * @param type the id of its type, its own or inherited
 * @param dimensions the request parameters that choose between variants
 * @param body what holds whatever the request says
 * @param variants the most specific first
 */
record QueryProfile(
        VersionedId id,
        Optional<String> type,
        List<String> dimensions,
        Body body,
        List<Variant> variants) {
    QueryProfile {
        dimensions = List.copyOf(dimensions);
        variants = List.copyOf(variants);
    }

    /**
     * Values, and the profiles that give others.
     *
     * @param inherits ids, the first goes first
     * @param fields by name
     */
    record Body(List<String> inherits, Map<String, Field> fields) {
        Body {
            inherits = List.copyOf(inherits);
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    /**
     * What holds for some requests.
     *
     * @param values one per dimension; {@code *} for any
     */
    record Variant(List<String> values, Body body) {
        Variant {
            values = List.copyOf(values);
        }

        boolean matches(List<String> dimensions, Function<String, Optional<String>> request) {
            for (int i = 0; i < values.size(); i++) {
                String value = values.get(i);
                if (!value.equals(ANY)
                        && !request.apply(dimensions.get(i)).equals(Optional.of(value))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** In place of a dimension's value: any, or none. */
    static final String ANY = "*";

    /**
     * A value.
     *
     * @param isOverridable whether a request may say another, where the file says so
     */
    record Field(Content content, Optional<Boolean> isOverridable) {}

    /** What a value is. */
    sealed interface Content {
        /** A text. */
        record Text(TextTemplate text) implements Content {}

        /** All that another profile has, below the value's name. */
        record Reference(String profile) implements Content {}
    }
}
