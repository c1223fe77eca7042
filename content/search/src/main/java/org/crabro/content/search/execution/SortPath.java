package org.crabro.content.search.execution;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.content.search.match.FieldPath;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.jspecify.annotations.Nullable;

/**
 * The path from a field to the values by which documents are sorted. Members of structs and entries
 * of maps with string keys have one value. Elements of a collection have several.
 *
 * @param steps from the field, or from each of its elements
 * @param type the type at the end of the path
 */
record SortPath(Start start, List<Step> steps, FieldType type) {
    private static final FieldPath.Step KEY = new FieldPath.Step.Named("key");
    private static final FieldPath.Step VALUE = new FieldPath.Step.Named("value");

    /** The start of a path. */
    enum Start {
        /** At the field. */
        FIELD,
        /** At each element of an array. */
        ELEMENTS,
        /** At each key of a map. */
        KEYS,
        /** At each value of a map. */
        VALUES
    }

    /** One step. */
    sealed interface Step {
        /** To a member of a struct, by its number. */
        record Member(int index) implements Step {}

        /** To the value of a key, as UTF-8. */
        record Entry(MemorySegment key) implements Step {}
    }

    /** Returns the path that a field path describes; empty if the field has no such part. */
    static Optional<SortPath> of(FieldPath path) {
        FieldType type = path.field().field().type();
        List<FieldPath.Step> all = path.steps();
        if (all.isEmpty()) {
            return Optional.of(new SortPath(Start.FIELD, List.of(), type));
        }
        return switch (type) {
            case FieldType.ArrayOf(var element) -> of(Start.ELEMENTS, element, all);
            case FieldType.MapOf(var key, _) when all.getFirst().equals(KEY) ->
                    of(Start.KEYS, key, all.subList(1, all.size()));
            case FieldType.MapOf(_, var value) when all.getFirst().equals(VALUE) ->
                    of(Start.VALUES, value, all.subList(1, all.size()));
            default -> of(Start.FIELD, type, all);
        };
    }

    private static Optional<SortPath> of(Start start, FieldType first, List<FieldPath.Step> path) {
        FieldType type = first;
        var steps = new ArrayList<Step>();
        for (FieldPath.Step step : path) {
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
                        when start == Start.FIELD
                                && of instanceof FieldType.MapOf(var keys, var value)
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
        return Optional.of(new SortPath(start, steps, type));
    }

    /** Returns whether a row may have several values at the end of the path. */
    boolean hasSeveral() {
        return start != Start.FIELD
                || (steps.isEmpty()
                        && (type instanceof FieldType.ArrayOf
                                || type instanceof FieldType.WeightedSetOf));
    }

    /** Returns the type of a single value. */
    FieldType single() {
        if (start != Start.FIELD || !steps.isEmpty()) {
            return type;
        }
        return switch (type) {
            case FieldType.ArrayOf(var element) -> element;
            case FieldType.WeightedSetOf(var element) -> element;
            default -> type;
        };
    }

    private static int index(FieldType.StructOf struct, String name) {
        for (int i = 0; i < struct.fields().size(); i++) {
            if (struct.fields().get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the column at the end of the path; null if the block has none. */
    @Nullable Column end(@Nullable Column from) {
        Column column = begin(from);
        for (Step step : steps) {
            column = part(column, step);
        }
        return column;
    }

    private @Nullable Column begin(@Nullable Column from) {
        return switch (start) {
            case FIELD -> steps.isEmpty() ? elements(from) : from;
            case ELEMENTS -> elements(from);
            case KEYS -> from instanceof Column.Maps maps ? maps.keys() : null;
            case VALUES -> from instanceof Column.Maps maps ? maps.values() : null;
        };
    }

    /** Returns the elements of a collection, or the column itself. */
    private static @Nullable Column elements(@Nullable Column column) {
        return switch (column) {
            case Column.Arrays arrays -> arrays.elements();
            case Column.WeightedSets sets -> sets.elements();
            case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> column;
            case null -> null;
        };
    }

    /** Returns the index of the first element of a row; elements of one row are adjacent. */
    static int first(@Nullable Column column, int row) {
        return switch (column) {
            case Column.Arrays arrays -> arrays.first(row);
            case Column.WeightedSets sets -> sets.first(row);
            case Column.Maps maps -> maps.first(row);
            case Column.FixedWidth _, Column.Texts _, Column.Nested _ -> row;
            case null -> row;
        };
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
     * Returns the index of the value of a row in the column at the end; -1 if the row has none.
     *
     * @param reader reads keys of maps
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
