package org.crabro.content.search.visit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.block.ColumnValues;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.json.DenseJson;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.json.JsonBytes;
import org.crabro.document.json.TensorFormat;
import org.jspecify.annotations.Nullable;

/**
 * Writes values of one field, or of a part of one, from their columns. The bytes are those of
 * {@link FieldValueWriter}, but no value objects are created. For one thread, which has one object
 * for each field of each run: texts are decompressed in frames, and those of the last frame are
 * cached.
 */
final class FieldJson {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final byte[] TRUE = "true".getBytes(US_ASCII);
    private static final byte[] FALSE = "false".getBytes(US_ASCII);
    private static final byte[] EMPTY_TEXT = "\"\"".getBytes(US_ASCII);
    private static final byte[] EMPTY_ARRAY = "[]".getBytes(US_ASCII);
    private static final byte[] EMPTY_OBJECT = "{}".getBytes(US_ASCII);

    private final TensorFormat tensors;
    private final TextReader texts = new TextReader();
    private final List<FieldJson> parts;
    private final List<byte[]> names;
    private final @Nullable DenseJson dense;
    private final byte @Nullable [] empty;
    private final boolean showsEmpty;
    private final ColumnValues values = new ColumnValues();

    FieldJson(FieldType type, TensorFormat tensors) {
        this.tensors = tensors;
        this.empty = empty(type);
        this.showsEmpty = FieldValueWriter.showsEmpty(type);
        this.dense =
                type instanceof FieldType.TensorOf(var tensor) && tensor.isDense()
                        ? new DenseJson(tensor, tensors)
                        : null;
        this.parts = parts(type).stream().map(part -> new FieldJson(part, tensors)).toList();
        this.names =
                type instanceof FieldType.StructOf(_, var fields)
                        ? fields.stream().map(Field::name).map(JsonBytes::member).toList()
                        : List.of();
    }

    private static List<FieldType> parts(FieldType type) {
        return switch (type) {
            case FieldType.Primitive _, FieldType.ReferenceOf _, FieldType.TensorOf _ -> List.of();
            case FieldType.ArrayOf(var element) -> List.of(element);
            case FieldType.WeightedSetOf(var element) -> List.of(element);
            case FieldType.MapOf(var key, var value) -> List.of(key, value);
            case FieldType.StructOf(_, var fields) -> fields.stream().map(Field::type).toList();
        };
    }

    private static byte @Nullable [] empty(FieldType type) {
        return switch (type) {
            case FieldType.Primitive primitive ->
                    primitive.stored() == FieldType.Primitive.STRING ? EMPTY_TEXT : null;
            case FieldType.ArrayOf _ -> EMPTY_ARRAY;
            case FieldType.WeightedSetOf _, FieldType.MapOf _ -> EMPTY_OBJECT;
            case FieldType.StructOf _, FieldType.ReferenceOf _, FieldType.TensorOf _ -> null;
        };
    }

    /**
     * Returns the JSON of an empty value, which is the same whether it was set or not. Null for
     * types without an empty value, such as numbers.
     */
    byte @Nullable [] empty() {
        return empty;
    }

    /** Returns whether a value is written. Empty values are not written, except for some types. */
    boolean isShown(Column column, int index) {
        if (!column.presence().has(index)) {
            return false;
        }
        if (showsEmpty) {
            return true;
        }
        return switch (column) {
            case Column.Texts text -> {
                texts.read(text, index);
                yield texts.length() > 0;
            }
            case Column.Arrays arrays -> arrays.first(index) < arrays.first(index + 1);
            case Column.WeightedSets sets -> sets.first(index) < sets.first(index + 1);
            case Column.Maps maps -> maps.first(index) < maps.first(index + 1);
            case Column.FixedWidth _, Column.Structs _, Column.MixedTensors _ -> true;
        };
    }

    /** Writes an existing value. */
    void write(Column column, int index, JsonBytes json) {
        switch (column) {
            case Column.Texts text -> writeText(text, index, json);
            case Column.Numbers numbers -> writeNumber(numbers, index, json, false);
            case Column.Booleans booleans ->
                    json.put(
                            booleans.values().get(ValueLayout.JAVA_BYTE, index) != 0
                                    ? TRUE
                                    : FALSE);
            case Column.Arrays arrays -> writeArray(arrays, index, json);
            case Column.WeightedSets sets -> writeSet(sets, index, json);
            case Column.Maps maps -> writeMap(maps, index, json);
            case Column.Structs structs -> writeStruct(structs, index, json);
            case Column.DenseTensors tensor ->
                    dense().write(tensor.cells(), index * tensor.width(), json);
            case Column.MixedTensors tensor -> {
                // Rare, and usually with few cells.
                FieldValue value = values.value(tensor, index).orElseThrow();
                json.put(FieldValueWriter.utf8(value, tensors));
            }
        }
    }

    private DenseJson dense() {
        if (dense == null) {
            throw new IllegalStateException("a column of another type than its field");
        }
        return dense;
    }

    private void writeText(Column.Texts column, int index, JsonBytes json) {
        texts.read(column, index);
        json.string(texts.bytes(), texts.offset(), texts.length());
    }

    /**
     * @param isName whether the caller writes quotes around it
     */
    private static void writeNumber(
            Column.Numbers column, int index, JsonBytes json, boolean isName) {
        MemorySegment numbers = column.values();
        switch (column.kind()) {
            case INT -> json.number((long) numbers.get(INT, 4L * index));
            case LONG -> json.number(numbers.get(LONG, 8L * index));
            case FLOAT -> {
                float number = Float.intBitsToFloat(numbers.get(INT, 4L * index));
                if (Float.isFinite(number)) {
                    json.number(number);
                } else {
                    writeUnusual(Float.toString(number), json, isName);
                }
            }
            case DOUBLE -> {
                double number = Double.longBitsToDouble(numbers.get(LONG, 8L * index));
                if (Double.isFinite(number)) {
                    json.number(number);
                } else {
                    writeUnusual(Double.toString(number), json, isName);
                }
            }
        }
    }

    private static void writeUnusual(String number, JsonBytes json, boolean isName) {
        if (isName) {
            json.put(number.getBytes(UTF_8));
        } else {
            json.string(number);
        }
    }

    /** Writes an element or a key as the name of a member, with quotes and colon. */
    private void writeName(Column column, int index, JsonBytes json) {
        switch (column) {
            case Column.Texts text -> writeText(text, index, json);
            case Column.Numbers numbers -> {
                json.put('"');
                writeNumber(numbers, index, json, true);
                json.put('"');
            }
            case Column.Booleans _ -> {
                json.put('"');
                write(column, index, json);
                json.put('"');
            }
            case Column.Nested _, Column.DenseTensors _ ->
                    throw new IllegalStateException("not of keys: " + column);
        }
        json.put(':');
    }

    private void writeArray(Column.Arrays arrays, int index, JsonBytes json) {
        FieldJson element = parts.getFirst();
        json.put('[');
        int first = arrays.first(index);
        int end = arrays.first(index + 1);
        for (int i = first; i < end; i++) {
            comma(i > first, json);
            element.write(arrays.elements(), i, json);
        }
        json.put(']');
    }

    private void writeSet(Column.WeightedSets sets, int index, JsonBytes json) {
        FieldJson element = parts.getFirst();
        json.put('{');
        int first = sets.first(index);
        int end = sets.first(index + 1);
        for (int i = first; i < end; i++) {
            comma(i > first, json);
            element.writeName(sets.elements(), i, json);
            writeNumber(sets.weights(), i, json, false);
        }
        json.put('}');
    }

    private void writeMap(Column.Maps maps, int index, JsonBytes json) {
        json.put('{');
        int first = maps.first(index);
        int end = maps.first(index + 1);
        for (int i = first; i < end; i++) {
            comma(i > first, json);
            parts.getFirst().writeName(maps.keys(), i, json);
            parts.getLast().write(maps.values(), i, json);
        }
        json.put('}');
    }

    private void writeStruct(Column.Structs structs, int index, JsonBytes json) {
        json.put('{');
        boolean isNext = false;
        for (int i = 0; i < structs.fields().size(); i++) {
            Optional<Column> field = structs.fields().get(i);
            if (field.isPresent() && field.get().presence().has(index)) {
                comma(isNext, json);
                isNext = true;
                json.put(names.get(i));
                parts.get(i).write(field.get(), index, json);
            }
        }
        json.put('}');
    }

    private static void comma(boolean isNext, JsonBytes json) {
        if (isNext) {
            json.put(',');
        }
    }
}
