package org.crabro.client.notes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Makes values of the events of a YAML parser. Aliases are rejected, because few of them can make a
 * value of any size. Not thread-safe.
 */
final class YamlValues {
    /** Lists and maps inside each other. */
    static final int DEPTH_MAX = 20;

    /** Values in total. */
    static final int VALUES_MAX = 10_000;

    private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");

    /** The lists and maps that are open, the innermost last. */
    private final List<Open> open = new ArrayList<>();

    private @Nullable Object root;
    private int count;

    /** A list or a map whose values are read, and the name of the next value of a map. */
    private static final class Open {
        private final Object value;
        private @Nullable String name;

        Open(Object value) {
            this.value = value;
        }
    }

    /**
     * Returns the values of a mapping; empty if the text is no mapping.
     *
     * @throws FrontMatterException if it is no YAML, or exceeds a limit
     */
    static Optional<Map<String, Object>> of(String yaml) throws FrontMatterException {
        LoadSettings settings =
                LoadSettings.builder()
                        .setLabel("front matter")
                        .setCodePointLimit(2 * FrontMatter.CHARS_MAX)
                        .build();
        var values = new YamlValues();
        try {
            for (Event event : new Parse(settings).parseString(yaml)) {
                values.add(event);
            }
        } catch (MarkedYamlEngineException e) {
            throw new FrontMatterException(
                    e.getProblem()
                            + e.getProblemMark()
                                    .map(mark -> " in line %d".formatted(mark.getLine() + 2))
                                    .orElse(""));
        } catch (YamlEngineException e) {
            throw new FrontMatterException(String.valueOf(e.getMessage()));
        }
        return values.root instanceof Map<?, ?> map ? Optional.of(named(map)) : Optional.empty();
    }

    private static Map<String, Object> named(Map<?, ?> map) {
        Map<String, Object> named = new LinkedHashMap<>();
        map.forEach((name, value) -> named.put((String) name, value));
        return named;
    }

    private void add(Event event) throws FrontMatterException {
        switch (event) {
            case AliasEvent _ -> throw new FrontMatterException("an alias, which is not read");
            case ScalarEvent scalar -> {
                if (isName()) {
                    open.getLast().name = scalar.getValue();
                } else {
                    put(value(scalar));
                }
            }
            case MappingStartEvent _ -> begin(new LinkedHashMap<String, Object>());
            case SequenceStartEvent _ -> begin(new ArrayList<Object>());
            default -> {
                if (event.getEventId() == Event.ID.MappingEnd
                        || event.getEventId() == Event.ID.SequenceEnd) {
                    open.removeLast();
                }
            }
        }
    }

    /** Returns whether the next scalar is the name of a value. */
    private boolean isName() {
        return !open.isEmpty()
                && open.getLast().value instanceof Map<?, ?>
                && open.getLast().name == null;
    }

    private static Optional<Object> value(ScalarEvent scalar) {
        if (scalar.getScalarStyle() != ScalarStyle.PLAIN || scalar.getTag().isPresent()) {
            return Optional.of(scalar.getValue());
        }
        return NULLS.contains(scalar.getValue())
                ? Optional.empty()
                : Optional.of(new PlainScalar(scalar.getValue()));
    }

    private void begin(Object value) throws FrontMatterException {
        if (isName()) {
            throw new FrontMatterException("a list or a map as the name of a value");
        }
        if (open.size() == DEPTH_MAX) {
            throw new FrontMatterException(
                    "more than %d lists and maps inside each other".formatted(DEPTH_MAX));
        }
        put(Optional.of(value));
        open.add(new Open(value));
    }

    @SuppressWarnings("unchecked")
    private void put(Optional<Object> value) throws FrontMatterException {
        if (++count > VALUES_MAX) {
            throw new FrontMatterException("more than %,d values".formatted(VALUES_MAX));
        }
        if (open.isEmpty()) {
            root = root == null ? value.orElse("") : root;
            return;
        }
        Open last = open.getLast();
        if (last.value instanceof List<?> list) {
            ((List<Object>) list).add(value.isPresent() ? value.get() : value);
            return;
        }
        String name = last.name == null ? "" : last.name;
        last.name = null;
        if (((Map<String, Object>) last.value).containsKey(name)) {
            throw new FrontMatterException("the name '%s' twice".formatted(name));
        }
        value.ifPresent(each -> ((Map<String, Object>) last.value).put(name, each));
    }
}
