package org.crabro.config.queryprofile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Values for request parameters, as declared in one file.
 *
 * @param id as written
 * @param type the id of its type, its own or inherited
 * @param dimensions the request parameters that select variants
 * @param body the values for all requests
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
     * Values and inherited profiles.
     *
     * @param inherits ids; earlier profiles have precedence
     * @param fields by name
     */
    record Body(List<String> inherits, Map<String, Field> fields) {
        Body {
            inherits = List.copyOf(inherits);
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    /**
     * The values for some requests.
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

    /** Matches any value of a dimension, or none. */
    static final String ANY = "*";

    /**
     * A value.
     *
     * @param isOverridable whether a request may override it, if declared in the file
     */
    record Field(Content content, Optional<Boolean> isOverridable) {}

    /** The content of a value. */
    sealed interface Content {
        /** A text. */
        record Text(TextTemplate text) implements Content {}

        /** All values of another profile, below the name of this value. */
        record Reference(String profile) implements Content {}
    }
}
