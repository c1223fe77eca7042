package org.crabro.protocol.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.tensor.DenseTensor;

/** Writes one row as {@link RowEncoding} pictures it, into an array that grows. */
final class RowWriter {
    private static final int FIRST_CAPACITY = 1_024;

    private final DocumentType type;
    private byte[] bytes = new byte[FIRST_CAPACITY];
    private MemorySegment segment = MemorySegment.ofArray(bytes);
    private int size;

    RowWriter(DocumentType type) {
        this.type = type;
    }

    byte[] write(Row row) {
        if (row.fingerprint() != type.fingerprint()) {
            throw new IllegalArgumentException(
                    "a row has fingerprint %016x, but type '%s' has %016x"
                            .formatted(row.fingerprint(), type.name(), type.fingerprint()));
        }
        if (row.tombstone() && !row.fields().isEmpty()) {
            throw new IllegalArgumentException("a tombstone has fields: " + row.fields().keySet());
        }
        byte[] id = utf8(row.id().toString());
        putLong(row.fingerprint());
        putLong(row.timestamp());
        putByte(row.tombstone() ? RowEncoding.TOMBSTONE_FLAG : 0);
        putByte(RowEncoding.VERSION);
        putShort(row.fields().size());
        putInt(id.length);
        putBytes(id);
        putFields(row);
        return Arrays.copyOf(bytes, size);
    }

    private void putFields(Row row) {
        List<Field> fields = type.fields();
        int written = 0;
        for (int i = 0; i < fields.size() && written < row.fields().size(); i++) {
            FieldValue value = row.fields().get(fields.get(i).name());
            if (value != null) {
                putShort(i);
                putValue(fields.get(i), fields.get(i).type(), value);
                written++;
            }
        }
        if (written < row.fields().size()) {
            throw new IllegalArgumentException(
                    "type '%s' has no field for one of %s"
                            .formatted(type.name(), row.fields().keySet()));
        }
    }

    private void putValue(Field field, FieldType fieldType, FieldValue value) {
        switch (value) {
            case FieldValue.StringValue(var text) when fieldType == FieldType.Primitive.STRING -> {
                byte[] encoded = utf8(text);
                putInt(encoded.length);
                putBytes(encoded);
            }
            case FieldValue.BoolValue(var bool) when fieldType == FieldType.Primitive.BOOL ->
                    putByte(bool ? 1 : 0);
            case FieldValue.IntValue(var number) when fieldType == FieldType.Primitive.INT ->
                    putInt(number);
            case FieldValue.LongValue(var number) when fieldType == FieldType.Primitive.LONG ->
                    putLong(number);
            case FieldValue.FloatValue(var number) when fieldType == FieldType.Primitive.FLOAT ->
                    putInt(Float.floatToRawIntBits(number));
            case FieldValue.DoubleValue(var number) when fieldType == FieldType.Primitive.DOUBLE ->
                    putLong(Double.doubleToRawLongBits(number));
            case FieldValue.ArrayValue(var elements)
                    when fieldType instanceof FieldType.ArrayOf(var elementType) -> {
                putInt(elements.size());
                for (FieldValue element : elements) {
                    putValue(field, elementType, element);
                }
            }
            case FieldValue.TensorValue(var tensor)
                    when fieldType instanceof FieldType.TensorOf(var tensorType)
                            && tensor.type().equals(tensorType) ->
                    putCells(tensor);
            case FieldValue.StringValue _,
                    FieldValue.BoolValue _,
                    FieldValue.IntValue _,
                    FieldValue.LongValue _,
                    FieldValue.FloatValue _,
                    FieldValue.DoubleValue _,
                    FieldValue.ArrayValue _,
                    FieldValue.TensorValue _ ->
                    throw new IllegalArgumentException(
                            "field '%s' is %s, but got a %s"
                                    .formatted(
                                            field.name(),
                                            fieldType.text(),
                                            value.getClass().getSimpleName()));
        }
    }

    private void putCells(DenseTensor tensor) {
        int count = tensor.size();
        reserve(Math.multiplyExact(count, tensor.type().cellType().size()));
        switch (tensor.type().cellType()) {
            case DOUBLE -> {
                for (int i = 0; i < count; i++) {
                    putLong(Double.doubleToRawLongBits(tensor.cell(i)));
                }
            }
            case FLOAT -> {
                for (int i = 0; i < count; i++) {
                    putInt(Float.floatToRawIntBits((float) tensor.cell(i)));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    putShort(Float.floatToRawIntBits((float) tensor.cell(i)) >>> Short.SIZE);
                }
            }
            case INT8 -> {
                for (int i = 0; i < count; i++) {
                    putByte((int) tensor.cell(i));
                }
            }
        }
    }

    /** Refuses half a surrogate pair, which would come back as another text. */
    private static byte[] utf8(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSurrogatePair(
                        text.charAt(i), i + 1 < text.length() ? text.charAt(i + 1) : 0)) {
                    throw new IllegalArgumentException(
                            "a text holds half a surrogate pair at index " + i);
                }
                i++;
            }
        }
        return text.getBytes(UTF_8);
    }

    private void putByte(int value) {
        reserve(Byte.BYTES);
        bytes[size] = (byte) value;
        size += Byte.BYTES;
    }

    private void putShort(int value) {
        reserve(Short.BYTES);
        segment.set(RowEncoding.SHORT, size, (short) value);
        size += Short.BYTES;
    }

    private void putInt(int value) {
        reserve(Integer.BYTES);
        segment.set(RowEncoding.INT, size, value);
        size += Integer.BYTES;
    }

    private void putLong(long value) {
        reserve(Long.BYTES);
        segment.set(RowEncoding.LONG, size, value);
        size += Long.BYTES;
    }

    private void putBytes(byte[] source) {
        reserve(source.length);
        System.arraycopy(source, 0, bytes, size, source.length);
        size += source.length;
    }

    private void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length + (bytes.length >> 1)));
            segment = MemorySegment.ofArray(bytes);
        }
    }
}
