package org.crabro.content.search.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;

/**
 * A part of a field as a query names it: {@code author.name}, {@code links.key}, {@code
 * links{home}.title}.
 *
 * @param steps names of members, {@code key}, {@code value}, or a key of a map
 */
public record FieldPath(SchemaField field, List<Step> steps) {
    public FieldPath {
        steps = List.copyOf(steps);
    }

    /** A step from a value to a part of it. */
    public sealed interface Step {
        /** A step by name: to a member of a struct, or to the keys or values of a map. */
        record Named(String name) implements Step {}

        /** A step to the values of one key of a map. */
        record Entry(String key) implements Step {}
    }

    /** Returns the steps without the keys of entries, with dots between them. */
    public String path() {
        var names = new ArrayList<String>();
        for (Step step : steps) {
            names.add(
                    switch (step) {
                        case Step.Named(String name) -> name;
                        case Step.Entry _ -> "value";
                    });
        }
        return String.join(".", names);
    }

    /**
     * Returns the path that {@code written} denotes in a schema; empty if the schema has no such
     * field.
     */
    public static Optional<FieldPath> of(String written, Schema schema) {
        String name = schema.unaliased(written);
        Optional<SchemaField> whole = schema.field(name);
        if (whole.isPresent()) {
            return Optional.of(new FieldPath(whole.get(), List.of()));
        }
        for (int end = end(name, 0); end < name.length(); end = end(name, end + 1)) {
            Optional<SchemaField> field = schema.field(name.substring(0, end));
            if (field.isPresent()) {
                return steps(name.substring(end)).map(steps -> new FieldPath(field.get(), steps));
            }
        }
        return Optional.empty();
    }

    /**
     * Does the same, but returns a searched part of a field as a field of its own, without steps.
     */
    static Optional<FieldPath> orPart(String written, Schema schema) {
        return schema.part(written)
                .map(part -> new FieldPath(part.field(), List.of()))
                .or(() -> of(written, schema));
    }

    /** Parses the steps of a path inside an element. {@code name} has no leading dot. */
    static Optional<List<Step>> inside(String name) {
        return name.isEmpty() ? Optional.of(List.of()) : steps("." + name);
    }

    private static int end(String name, int from) {
        int at = from;
        while (at < name.length() && name.charAt(at) != '.' && name.charAt(at) != '{') {
            at++;
        }
        return at;
    }

    private static Optional<List<Step>> steps(String tail) {
        var steps = new ArrayList<Step>();
        int at = 0;
        while (at < tail.length()) {
            if (tail.charAt(at) == '.') {
                int end = end(tail, at + 1);
                steps.add(new Step.Named(tail.substring(at + 1, end)));
                at = end;
            } else {
                int close = tail.indexOf('}', at);
                if (close < 0) {
                    return Optional.empty();
                }
                String key = tail.substring(at + 1, close);
                boolean quoted = key.length() > 1 && key.startsWith("\"") && key.endsWith("\"");
                steps.add(new Step.Entry(quoted ? key.substring(1, key.length() - 1) : key));
                at = close + 1;
            }
        }
        return Optional.of(steps);
    }
}
