package org.crabro.config.queryprofile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The values of a profile for one request, by dotted names; the nearest declaration wins.
 *
 * @param id of the profile
 * @param type of the profile
 * @param values by name; texts are not yet expanded
 * @param fixed names that a request cannot override, with all names below them
 * @param types of the values that types declare, by name
 * @param typed the profile types by the prefix of their values, which ends with a dot; the type of
 *     the profile itself has an empty prefix
 */
public record ResolvedProfile(
        String id,
        Optional<QueryProfileType> type,
        Map<String, Value> values,
        Set<String> fixed,
        Map<String, QueryProfileType.Field> types,
        Map<String, QueryProfileType> typed) {
    public ResolvedProfile {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        fixed = Set.copyOf(fixed);
        types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
        typed = Map.copyOf(typed);
    }

    /** Returns the strict type below the profile's own that does not have {@code name}, if any. */
    public Optional<QueryProfileType> strictBelow(String name) {
        for (int dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
            String tail = name.substring(dot + 1);
            QueryProfileType type = typed.get(name.substring(0, dot + 1));
            if (type != null && !type.allows(tail)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    /** Returns whether a request may override {@code name}. */
    public boolean isOverridable(String name) {
        for (int dot = name.length(); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
            if (fixed.contains(name.substring(0, dot))) {
                return false;
            }
        }
        return true;
    }

    /** The maximum length of an expanded text, in characters. */
    static final int TEXT_MAX = 1 << 20;

    /** The maximum nesting depth of text expansion. */
    static final int DEPTH_MAX = 8;

    /**
     * Returns the expanded texts of all values.
     *
     * @param request the values of the request by name, which have precedence over those of the
     *     profile
     * @throws IllegalArgumentException if texts refer to each other too deeply, or a text becomes
     *     too long; the message names the value
     */
    public Map<String, String> texts(Function<String, Optional<String>> request) {
        var texts = new LinkedHashMap<String, String>();
        values.forEach((name, value) -> texts.put(name, text(name, value, request, 0)));
        return texts;
    }

    private String text(
            String name, Value value, Function<String, Optional<String>> request, int depth) {
        if (depth > DEPTH_MAX) {
            throw new IllegalArgumentException(
                    "query profile '%s': values are put into each other more than %d deep in '%s'"
                            .formatted(id, DEPTH_MAX, name));
        }
        var text = new StringBuilder();
        for (TextTemplate.Part part : value.text().parts()) {
            text.append(
                    switch (part) {
                        case TextTemplate.Part.Characters(String characters) -> characters;
                        case TextTemplate.Part.Parameter(String other) ->
                                request.apply(other)
                                        .orElseGet(() -> own(other, request, depth + 1));
                        case TextTemplate.Part.Sibling(String other) ->
                                own(value.place() + other, request, depth + 1);
                    });
            if (text.length() > TEXT_MAX) {
                throw new IllegalArgumentException(
                        "query profile '%s': '%s' is longer than %,d characters"
                                .formatted(id, name, TEXT_MAX));
            }
        }
        return text.toString();
    }

    private String own(String name, Function<String, Optional<String>> request, int depth) {
        Value value = values.get(name);
        return value == null ? "" : text(name, value, request, depth);
    }

    /**
     * A value of a profile.
     *
     * @param text with references to other values
     * @param place the prefix of the names in the profile that declares the value; empty for the
     *     profile itself
     */
    record Value(TextTemplate text, String place) {}
}
