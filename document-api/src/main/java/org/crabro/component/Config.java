package org.crabro.component;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Values of a component from services.xml: the text, fields, items or map entries of an element.
 *
 * {@snippet :
 * // <config name="my.limits">
 * //   <max>5</max>
 * //   <hosts><item>a</item><item>b</item></hosts>
 * //   <weights><item key="title">2.5</item></weights>
 * // </config>
 * Config limits = context.config("my.limits");
 * long max = limits.whole("max", 10);
 * List<String> hosts = limits.at("hosts").items().stream().map(Config::text).toList();
 * double weight = limits.at("weights").entries().get("title").decimal("", 1);
 * }
 *
 * <p>Immutable.
 *
 * @param text of the element itself; empty for none
 * @param fields by name, in the order given
 * @param items of an array
 * @param entries of a map, by key, in the order given
 */
public record Config(
        String text, Map<String, Config> fields, List<Config> items, Map<String, Config> entries) {
    /** No values. */
    public static final Config NONE = new Config("", Map.of(), List.of(), Map.of());

    public Config {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        items = List.copyOf(items);
        entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    /** Returns whether there is no value. */
    public boolean isEmpty() {
        return equals(NONE);
    }

    /**
     * Returns the values at {@code path}, or {@link #NONE}.
     *
     * @param path names of fields with dots between them; empty for this
     */
    public Config at(String path) {
        Config config = this;
        for (String name : path.isEmpty() ? new String[0] : path.split("\\.", -1)) {
            config = config.fields.getOrDefault(name, NONE);
        }
        return config;
    }

    /** Returns the text at {@code path}, or {@code otherwise} if there is none. */
    public String text(String path, String otherwise) {
        Config config = at(path);
        return config.isEmpty() ? otherwise : config.text;
    }

    /**
     * Returns the whole number at {@code path}, or {@code otherwise} if there is no value.
     *
     * @throws IllegalArgumentException if the value is not a whole number
     */
    public long whole(String path, long otherwise) {
        return read(path, "a whole number", Long::parseLong).orElse(otherwise);
    }

    /**
     * Returns the number at {@code path}, or {@code otherwise} if there is no value.
     *
     * @throws IllegalArgumentException if the value is not a number
     */
    public double decimal(String path, double otherwise) {
        return read(path, "a number", Double::parseDouble).orElse(otherwise);
    }

    /**
     * Returns whether the value at {@code path} is {@code true}, or {@code otherwise} if there is
     * no value.
     *
     * @throws IllegalArgumentException if the value is neither true nor false
     */
    public boolean truth(String path, boolean otherwise) {
        return read(path, "true or false", Config::truth).orElse(otherwise);
    }

    private static Boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    private <T> Optional<T> read(String path, String expected, Function<String, T> reader) {
        Config config = at(path);
        if (config.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(reader.apply(config.text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "expected %s for '%s', but found '%s'".formatted(expected, path, config.text),
                    e);
        }
    }

    /**
     * Returns these values, with those of {@code other} for paths without a value here. Items
     * follow those of {@code other}. Entries replace all entries of {@code other}.
     */
    public Config over(Config other) {
        var allFields = new LinkedHashMap<>(other.fields);
        fields.forEach(
                (name, value) -> allFields.merge(name, value, (below, above) -> above.over(below)));
        var allItems = new ArrayList<>(other.items);
        allItems.addAll(items);
        return new Config(
                text.isEmpty() ? other.text : text,
                allFields,
                allItems,
                entries.isEmpty() ? other.entries : entries);
    }
}
