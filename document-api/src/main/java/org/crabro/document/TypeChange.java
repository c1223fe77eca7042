package org.crabro.document;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Converts values that were stored under one type of a field to another type. Structs can gain,
 * lose and reorder members: members of both types keep their values. Any other change drops the
 * value.
 *
 * @param before the type under which the values were stored
 * @param after the type under which they are read
 */
public record TypeChange(FieldType before, FieldType after) {
    /** Returns whether both types are equal. */
    public boolean isNone() {
        return before.equals(after);
    }

    /** Returns whether values can be read, even if some members of structs are lost. */
    public boolean isReadable() {
        return isReadable(before, after);
    }

    /**
     * A part of a field that both types have, but that cannot be read.
     *
     * @param path the field, and the members of structs that lead to it, with dots between them
     */
    public record Lost(String path, TypeChange change) {}

    /**
     * Returns the parts that both types have, but that cannot be read.
     *
     * @param name of the field
     */
    public List<Lost> lost(String name) {
        var lost = new ArrayList<Lost>();
        compare(name, lost, new ArrayList<>());
        return lost;
    }

    /**
     * A member of a struct that only the type before has.
     *
     * @param path the field, and the members of structs that lead to it, with dots between them
     */
    public record Gone(String path, FieldType type) {}

    /**
     * Returns the members of structs that only the type before has, within structs that can be
     * read.
     *
     * @param name of the field
     */
    public List<Gone> gone(String name) {
        var gone = new ArrayList<Gone>();
        compare(name, new ArrayList<>(), gone);
        return gone;
    }

    private void compare(String path, List<Lost> lost, List<Gone> gone) {
        if (!isReadable()) {
            lost.add(new Lost(path, this));
        } else if (before instanceof FieldType.ArrayOf(var was)
                && after instanceof FieldType.ArrayOf(var is)) {
            new TypeChange(was, is).compare(path, lost, gone);
        } else if (before instanceof FieldType.MapOf(_, var was)
                && after instanceof FieldType.MapOf(_, var is)) {
            new TypeChange(was, is).compare(path, lost, gone);
        } else if (before instanceof FieldType.StructOf was
                && after instanceof FieldType.StructOf is) {
            for (Field member : was.fields()) {
                String memberPath = path + "." + member.name();
                is.field(member.name())
                        .ifPresentOrElse(
                                now ->
                                        new TypeChange(member.type(), now.type())
                                                .compare(memberPath, lost, gone),
                                () -> gone.add(new Gone(memberPath, member.type())));
            }
        }
    }

    private static boolean isReadable(FieldType before, FieldType after) {
        return switch (before) {
            case FieldType.StructOf was ->
                    after instanceof FieldType.StructOf is && was.name().equals(is.name());
            case FieldType.ArrayOf(var element) ->
                    after instanceof FieldType.ArrayOf(var now) && isReadable(element, now);
            case FieldType.MapOf(var key, var value) ->
                    after instanceof FieldType.MapOf(var newKey, var newValue)
                            && key.equals(newKey)
                            && isReadable(value, newValue);
            case FieldType.Primitive _,
                    FieldType.WeightedSetOf _,
                    FieldType.ReferenceOf _,
                    FieldType.TensorOf _ ->
                    before.equals(after);
        };
    }

    /**
     * Converts a value to the new type.
     *
     * @param value of the type before
     * @throws IllegalStateException if it is not {@link #isReadable readable}
     */
    public FieldValue read(FieldValue value) {
        if (!isReadable()) {
            throw new IllegalStateException("a value of " + before + " read as " + after);
        }
        return read(before, after, value);
    }

    private static FieldValue read(FieldType before, FieldType after, FieldValue value) {
        if (before.equals(after)) {
            return value;
        }
        if (before instanceof FieldType.StructOf was
                && after instanceof FieldType.StructOf is
                && value instanceof FieldValue.StructValue(var members)) {
            return new FieldValue.StructValue(read(was, is, members));
        }
        if (before instanceof FieldType.ArrayOf(var was)
                && after instanceof FieldType.ArrayOf(var is)
                && value instanceof FieldValue.ArrayValue(var elements)) {
            var read = new ArrayList<FieldValue>(elements.size());
            elements.forEach(element -> read.add(read(was, is, element)));
            return new FieldValue.ArrayValue(read);
        }
        if (before instanceof FieldType.MapOf(_, var was)
                && after instanceof FieldType.MapOf(_, var is)
                && value instanceof FieldValue.MapValue(var values)) {
            var read = LinkedHashMap.<FieldValue, FieldValue>newLinkedHashMap(values.size());
            values.forEach((key, mapped) -> read.put(key, read(was, is, mapped)));
            return new FieldValue.MapValue(read);
        }
        throw new IllegalStateException("a value of " + before + " is " + value);
    }

    private static Map<String, FieldValue> read(
            FieldType.StructOf before, FieldType.StructOf after, Map<String, FieldValue> members) {
        var read = new LinkedHashMap<String, FieldValue>();
        for (Field member : after.fields()) {
            Optional<FieldValue> value = Optional.ofNullable(members.get(member.name()));
            before.field(member.name())
                    .filter(was -> isReadable(was.type(), member.type()))
                    .ifPresent(was ->
                            value.ifPresent(fieldValue ->
                                    read.put(
                                            member.name(),
                                            read(was.type(), member.type(), fieldValue))));
        }
        return read;
    }
}
