package org.crabro.container.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.NearestName;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call of a tool.
 *
 * @param values by name
 */
record ToolArguments(Map<String, Object> values) {
    ToolArguments {
        values = Map.copyOf(values);
    }

    /**
     * Returns the arguments of a call.
     *
     * @param names the names of the arguments of the tool
     * @throws InvalidArgumentException if there is another one
     */
    static ToolArguments of(@Nullable Map<String, Object> given, Set<String> names) {
        var values = new LinkedHashMap<String, Object>();
        if (given != null) {
            given.forEach((name, value) -> {
                if (!names.contains(name)) {
                    throw new InvalidArgumentException(
                            "unknown argument '%s'; expected one of %s%s"
                                    .formatted(
                                            name,
                                            String.join(", ", new TreeSet<>(names)),
                                            NearestName.hint(name, names)));
                }
                if (value != null) {
                    values.put(name, value);
                }
            });
        }
        return new ToolArguments(values);
    }

    /**
     * Rejects a call that lacks an argument.
     *
     * @throws InvalidArgumentException if it does
     */
    void require(Set<String> names) {
        for (String name : names) {
            if (text(name).isEmpty()) {
                throw new InvalidArgumentException("the argument '%s' is required".formatted(name));
            }
        }
    }

    /** Returns a text; empty if there is none or it is blank. */
    Optional<String> text(String name) {
        Object value = values.get(name);
        if (value != null && !(value instanceof String)) {
            throw unexpected(name, "a string", value);
        }
        return Optional.ofNullable((String) value).filter(text -> !text.isBlank());
    }

    /** Returns a whole number from 0 on. */
    Optional<Long> whole(String name) {
        Object value = values.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Number number
                && number.doubleValue() == number.longValue()
                && number.longValue() >= 0) {
            return Optional.of(number.longValue());
        }
        throw unexpected(name, "a whole number from 0 on", value);
    }

    /** Returns the members of an object. */
    Map<String, Object> object(String name) {
        Object value = values.get(name);
        if (value == null) {
            return Map.of();
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw unexpected(name, "an object", value);
        }
        var members = new LinkedHashMap<String, Object>();
        map.forEach((key, member) -> members.put(String.valueOf(key), member));
        return members;
    }

    private static InvalidArgumentException unexpected(String name, String expected, Object value) {
        return new InvalidArgumentException(
                "%s: expected %s, but found '%s'".formatted(name, expected, value));
    }
}
