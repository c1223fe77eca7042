package org.crabro.document.json;

import java.io.ByteArrayOutputStream;
import java.util.Map;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.HexCells;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorText;
import org.crabro.tensor.TensorType;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes field values in the form of documents and search results. */
public final class FieldValueWriter {
    private static final JsonFactory JSON = new JsonFactory();

    private FieldValueWriter() {}

    /**
     * Returns whether {@code value} is written like a field that is not set: empty strings, arrays,
     * sets and maps. A struct is always written, because it was set.
     */
    public static boolean isEmpty(FieldValue value) {
        return switch (value) {
            case FieldValue.StringValue(String text) -> text.isEmpty();
            case FieldValue.ArrayValue(var elements) -> elements.isEmpty();
            case FieldValue.WeightedSetValue(var weights) -> weights.isEmpty();
            case FieldValue.MapValue(var values) -> values.isEmpty();
            case FieldValue.StructValue _,
                    FieldValue.Scalar _,
                    FieldValue.TensorValue _,
                    FieldValue.MixedTensorValue _ ->
                    false;
        };
    }

    /**
     * Returns whether {@code value}, which is set, is written in a document. Empty values are not,
     * except for bytes and references.
     */
    public static boolean isShown(FieldType type, FieldValue value) {
        return showsEmpty(type) || !isEmpty(value);
    }

    /** Returns whether empty values of a type are written if they are set. */
    public static boolean showsEmpty(FieldType type) {
        return type == FieldType.Primitive.RAW || type instanceof FieldType.ReferenceOf;
    }

    /**
     * Writes {@code value} at the current position. Numbers that JSON cannot represent are written
     * as strings, and as null in tensors.
     */
    public static void write(JsonGenerator json, FieldValue value, TensorFormat format) {
        write(json, value, ValueForm.of(format));
    }

    /** Writes {@code number}, as a string if it is not finite. */
    public static void write(JsonGenerator json, double number) {
        if (Double.isFinite(number)) {
            json.writeNumber(number);
        } else {
            json.writeString(Double.toString(number));
        }
    }

    /** Writes {@code value}, the value of a whole field, in {@code form}. */
    public static void write(JsonGenerator json, FieldValue value, ValueForm form) {
        if (value instanceof FieldValue.MapValue(var values)
                && values.keySet().stream().allMatch(FieldValue.StringValue.class::isInstance)) {
            writeObject(json, values, form);
        } else {
            writeInner(json, value, form);
        }
    }

    private static void writeInner(JsonGenerator json, FieldValue value, ValueForm form) {
        switch (value) {
            case FieldValue.StringValue(String text) -> json.writeString(text);
            case FieldValue.BoolValue(boolean is) -> json.writeBoolean(is);
            case FieldValue.IntValue(int number) -> json.writeNumber(number);
            case FieldValue.LongValue(long number) -> {
                if (form.longsAsTexts()) {
                    json.writeString(Long.toString(number));
                } else {
                    json.writeNumber(number);
                }
            }
            case FieldValue.FloatValue(float number) -> {
                if (Float.isFinite(number)) {
                    json.writeNumber(number);
                } else {
                    json.writeString(Float.toString(number));
                }
            }
            case FieldValue.DoubleValue(double number) -> write(json, number);
            case FieldValue.ArrayValue(var elements) -> {
                json.writeStartArray();
                for (FieldValue element : elements) {
                    writeInner(json, element, form);
                }
                json.writeEndArray();
            }
            case FieldValue.WeightedSetValue(var weights) -> writeSet(json, weights, form);
            case FieldValue.MapValue(var values) -> {
                if (form.mapsAsObjects()) {
                    writeObject(json, values, form);
                } else {
                    writePairs(json, values, form);
                }
            }
            case FieldValue.StructValue(var fields) -> {
                json.writeStartObject();
                fields.forEach((field, set) -> {
                    json.writeName(field);
                    writeInner(json, set, form);
                });
                json.writeEndObject();
            }
            case FieldValue.TensorValue(DenseTensor tensor) -> write(json, tensor, form.tensors());
            case FieldValue.MixedTensorValue(MixedTensor tensor) ->
                    new MixedTensorWriter(json, tensor).write(form.tensors());
        }
    }

    private static void writeSet(
            JsonGenerator json, Map<FieldValue, Integer> weights, ValueForm form) {
        if (form.setsAsObjects()) {
            json.writeStartObject();
            weights.forEach((element, weight) -> {
                json.writeName(name(element));
                json.writeNumber(weight);
            });
            json.writeEndObject();
            return;
        }
        json.writeStartArray();
        weights.forEach((element, weight) -> {
            json.writeStartObject();
            json.writeName("item");
            writeInner(json, element, form);
            json.writeNumberProperty("weight", weight);
            json.writeEndObject();
        });
        json.writeEndArray();
    }

    private static void writeObject(
            JsonGenerator json, Map<FieldValue, FieldValue> values, ValueForm form) {
        json.writeStartObject();
        values.forEach((key, mapped) -> {
            json.writeName(name(key));
            writeInner(json, mapped, form);
        });
        json.writeEndObject();
    }

    private static void writePairs(
            JsonGenerator json, Map<FieldValue, FieldValue> values, ValueForm form) {
        json.writeStartArray();
        values.forEach((key, mapped) -> {
            json.writeStartObject();
            json.writeName("key");
            writeInner(json, key, form);
            json.writeName("value");
            writeInner(json, mapped, form);
            json.writeEndObject();
        });
        json.writeEndArray();
    }

    /** Returns {@code value} as JSON in UTF-8. */
    public static byte[] utf8(FieldValue value, TensorFormat format) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            write(json, value, format);
        }
        return bytes.toByteArray();
    }

    /** Returns an element or a key as the name of a member. */
    private static String name(FieldValue key) {
        return switch (key) {
            case FieldValue.StringValue(String text) -> text;
            case FieldValue.BoolValue(boolean truth) -> Boolean.toString(truth);
            case FieldValue.IntValue(int number) -> Integer.toString(number);
            case FieldValue.LongValue(long number) -> Long.toString(number);
            case FieldValue.FloatValue(float number) -> Float.toString(number);
            case FieldValue.DoubleValue(double number) -> Double.toString(number);
            case FieldValue.Composite _, FieldValue.TensorValue _, FieldValue.MixedTensorValue _ ->
                    throw new IllegalArgumentException("not a key: " + key);
        };
    }

    /** Writes {@code tensor} as a value at the current position. */
    public static void write(JsonGenerator json, DenseTensor tensor, TensorFormat format) {
        if (format.withType()) {
            json.writeStartObject();
            json.writeStringProperty(TensorMembers.TYPE, tensor.type().toString());
            json.writeName(format.denseMember());
        }
        switch (format.cells()) {
            case COMPACT -> writeNested(json, tensor);
            case HEX -> json.writeString(HexCells.encode(tensor));
            case ADDRESSED -> writeCells(json, tensor);
            case LITERAL -> json.writeString(TensorText.of(tensor));
            case LONG_LITERAL -> json.writeString(TensorText.longOf(tensor));
        }
        if (format.withType()) {
            json.writeEndObject();
        }
    }

    private static void writeNested(JsonGenerator json, DenseTensor tensor) {
        if (tensor.type().dimensions().isEmpty()) {
            json.writeStartArray();
            writeCell(json, tensor, 0);
            json.writeEndArray();
        } else {
            writeNested(json, tensor, 0, 0, tensor.size());
        }
    }

    private static void writeNested(
            JsonGenerator json, DenseTensor tensor, int level, int start, int count) {
        if (level == tensor.type().dimensions().size()) {
            writeCell(json, tensor, start);
            return;
        }
        int size = size(tensor.type(), level);
        int part = count / size;
        json.writeStartArray();
        for (int i = 0; i < size; i++) {
            writeNested(json, tensor, level + 1, start + i * part, part);
        }
        json.writeEndArray();
    }

    private static void writeCells(JsonGenerator json, DenseTensor tensor) {
        TensorType type = tensor.type();
        json.writeStartArray();
        for (int i = 0; i < tensor.size(); i++) {
            json.writeStartObject();
            json.writeObjectPropertyStart(TensorMembers.ADDRESS);
            int part = tensor.size();
            for (int level = 0; level < type.dimensions().size(); level++) {
                int size = size(type, level);
                part /= size;
                json.writeStringProperty(
                        type.dimensions().get(level).name(), Integer.toString(i / part % size));
            }
            json.writeEndObject();
            json.writeName(TensorMembers.VALUE);
            writeCell(json, tensor, i);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static int size(TensorType type, int level) {
        return ((Dimension.Indexed) type.dimensions().get(level)).size();
    }

    private static void writeCell(JsonGenerator json, DenseTensor tensor, int index) {
        writeCell(json, tensor.type().cellType(), tensor.cell(index));
    }

    static void writeCell(JsonGenerator json, CellType type, double cell) {
        if (!Double.isFinite(cell)) {
            json.writeNull();
        } else if (type == CellType.INT8) {
            json.writeNumber((int) cell);
        } else {
            json.writeNumber(cell);
        }
    }
}
