package org.crabro.content.result;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.content.match.FieldPath;
import org.crabro.content.run.Column;
import org.crabro.content.run.TextReader;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.jspecify.annotations.Nullable;

/**
 * The way from a field to the one value in it that documents are sorted by: members of structs, and
 * entries of maps whose keys are strings.
 *
 * @param type of what is at its end
 */
record SortPath(List<Step> steps, FieldType type) {
    /** What a field without steps is sorted by. */
    static SortPath whole(FieldType type) {
        return new SortPath(List.of(), type);
    }

    /** One step. */
    sealed interface Step {
        /** To a member of a struct, by its number. */
        record Member(int index) implements Step {}

        /** To the value of a key, as UTF-8. */
        record Entry(MemorySegment key) implements Step {}
    }

    /** Returns the way that a path says; nothing where it leads nowhere, or to several values. */
    static Optional<SortPath> of(FieldPath path) {
        FieldType type = path.field().field().type();
        var steps = new ArrayList<Step>();
        for (FieldPath.Step step : path.steps()) {
            FieldType of = type;
            switch (step) {
                case FieldPath.Step.Named(var name)
                        when of instanceof FieldType.StructOf struct -> {
                    int index = index(struct, name);
                    if (index < 0) {
                        return Optional.empty();
                    }
                    steps.add(new Step.Member(index));
                    type = struct.fields().get(index).type();
                }
                case FieldPath.Step.Entry(var key)
                        when of instanceof FieldType.MapOf(var keys, var value)
                                && keys == Primitive.STRING -> {
                    steps.add(
                            new Step.Entry(
                                    MemorySegment.ofArray(key.getBytes(StandardCharsets.UTF_8))));
                    type = value;
                }
                case FieldPath.Step.Named _, FieldPath.Step.Entry _ -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(new SortPath(steps, type));
    }

    private static int index(FieldType.StructOf struct, String name) {
        for (int i = 0; i < struct.fields().size(); i++) {
            if (struct.fields().get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the column that values lie in at the end of the way; null where there is none. */
    @Nullable Column end(@Nullable Column from) {
        Column column = from;
        for (Step step : steps) {
            column = part(column, step);
        }
        return column;
    }

    private static @Nullable Column part(@Nullable Column of, Step step) {
        return switch (step) {
            case Step.Member(int index) ->
                    of instanceof Column.Structs structs
                            ? structs.fields().get(index).orElse(null)
                            : null;
            case Step.Entry _ -> of instanceof Column.Maps maps ? maps.values() : null;
        };
    }

    /**
     * Returns the index in the column at the end that a row's value has; -1 where it has none.
     *
     * @param reader for keys
     */
    int place(@Nullable Column from, int row, TextReader reader) {
        Column column = from;
        int at = row;
        for (int i = 0; i < steps.size(); i++) {
            if (column == null || !column.presence().has(at)) {
                return -1;
            }
            if (steps.get(i) instanceof Step.Entry(var key)) {
                at = column instanceof Column.Maps maps ? entry(maps, at, key, reader) : -1;
                if (at < 0) {
                    return -1;
                }
            }
            column = part(column, steps.get(i));
        }
        return column == null || !column.presence().has(at) ? -1 : at;
    }

    private static int entry(Column.Maps maps, int row, MemorySegment key, TextReader reader) {
        if (!(maps.keys() instanceof Column.Texts keys)) {
            return -1;
        }
        for (int at = maps.first(row); at < maps.first(row + 1); at++) {
            reader.read(keys, at);
            long from = reader.offset();
            long end = from + reader.length();
            boolean isKey =
                    reader.length() == key.byteSize()
                            && MemorySegment.mismatch(
                                            reader.bytes(), from, end, key, 0, key.byteSize())
                                    < 0;
            if (isKey) {
                return at;
            }
        }
        return -1;
    }
}
