package org.crabro.document.time;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.document.FieldValue;

/**
 * Which numbers of a value are times.
 *
 * @param kind of the value itself, or of the elements of an array
 * @param parts by member of a struct; by {@code value} for the values of a map. Those of an array
 *     are those of its elements
 */
public record TimeParts(Optional<TimeKind> kind, Map<String, TimeParts> parts) {
    /** A value without times. */
    public static final TimeParts NONE = new TimeParts(Optional.empty(), Map.of());

    public TimeParts {
        parts = Map.copyOf(parts);
    }

    /** Returns whether no number is a time. */
    public boolean isEmpty() {
        return kind.isEmpty() && parts.isEmpty();
    }

    /** Returns the times in a part. */
    public TimeParts part(String name) {
        return parts.getOrDefault(name, NONE);
    }

    /** Returns the times in the part at a path. */
    public TimeParts at(List<String> path) {
        TimeParts inner = this;
        for (String name : path) {
            inner = inner.part(name);
        }
        return inner;
    }

    /** Returns these times and those of the part at a path. */
    public TimeParts with(List<String> path, TimeKind added) {
        if (path.isEmpty()) {
            return new TimeParts(Optional.of(added), parts);
        }
        var more = new LinkedHashMap<>(parts);
        String name = path.getFirst();
        more.put(name, part(name).with(path.subList(1, path.size()), added));
        return new TimeParts(kind, more);
    }

    /** Returns a value with its times as texts. Numbers too far from 1970 remain numbers. */
    public FieldValue shown(FieldValue value) {
        if (isEmpty()) {
            return value;
        }
        return switch (value) {
            case FieldValue.LongValue(long number) ->
                    kind.flatMap(each -> each.text(number))
                            .<FieldValue>map(FieldValue.StringValue::new)
                            .orElse(value);
            case FieldValue.ArrayValue(var elements) -> {
                var shown = new ArrayList<FieldValue>(elements.size());
                for (FieldValue element : elements) {
                    shown.add(shown(element));
                }
                yield new FieldValue.ArrayValue(shown);
            }
            case FieldValue.MapValue(var entries) -> {
                TimeParts inner = part("value");
                var shown = new LinkedHashMap<>(entries);
                shown.replaceAll((_, each) -> inner.shown(each));
                yield new FieldValue.MapValue(shown);
            }
            case FieldValue.StructValue(var members) -> {
                var shown = new LinkedHashMap<>(members);
                shown.replaceAll((name, each) -> part(name).shown(each));
                yield new FieldValue.StructValue(shown);
            }
            default -> value;
        };
    }
}
