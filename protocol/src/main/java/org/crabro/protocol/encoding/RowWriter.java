package org.crabro.protocol.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;

/** Encodes rows in the format of {@link RowEncoding}. */
final class RowWriter {
    private final DocumentType type;
    private final RowBuffer out = new RowBuffer();

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
        out.begin(
                row.fingerprint(),
                row.timestamp(),
                row.tombstone(),
                MemorySegment.ofArray(id),
                0,
                id.length);
        putFields(row);
        return out.copy();
    }

    private void putFields(Row row) {
        List<Field> fields = type.fields();
        int written = 0;
        for (int i = 0; i < fields.size() && written < row.fields().size(); i++) {
            FieldValue value = row.fields().get(fields.get(i).name());
            if (value != null) {
                out.beginField(i);
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
            case FieldValue.StringValue(var text)
                    when isStored(fieldType, FieldType.Primitive.STRING) -> {
                byte[] encoded = utf8(text);
                out.putInt(encoded.length);
                out.putBytes(encoded);
            }
            case FieldValue.BoolValue(var bool)
                    when isStored(fieldType, FieldType.Primitive.BOOL) ->
                    out.putByte(bool ? 1 : 0);
            case FieldValue.IntValue(var number)
                    when isStored(fieldType, FieldType.Primitive.INT) ->
                    out.putInt(number);
            case FieldValue.LongValue(var number)
                    when isStored(fieldType, FieldType.Primitive.LONG) ->
                    out.putLong(number);
            case FieldValue.FloatValue(var number)
                    when isStored(fieldType, FieldType.Primitive.FLOAT) ->
                    out.putInt(Float.floatToRawIntBits(number));
            case FieldValue.DoubleValue(var number)
                    when isStored(fieldType, FieldType.Primitive.DOUBLE) ->
                    out.putLong(Double.doubleToRawLongBits(number));
            case FieldValue.ArrayValue(var elements)
                    when fieldType instanceof FieldType.ArrayOf(var elementType) -> {
                out.putInt(elements.size());
                for (FieldValue element : elements) {
                    putValue(field, elementType, element);
                }
            }
            case FieldValue.WeightedSetValue(var weights)
                    when fieldType instanceof FieldType.WeightedSetOf(var elementType) -> {
                out.putInt(weights.size());
                weights.forEach((element, weight) -> {
                    putValue(field, elementType, element);
                    out.putInt(weight);
                });
            }
            case FieldValue.MapValue(var values)
                    when fieldType instanceof FieldType.MapOf(var keyType, var valueType) -> {
                out.putInt(values.size());
                values.forEach((key, mapped) -> {
                    putValue(field, keyType, key);
                    putValue(field, valueType, mapped);
                });
            }
            case FieldValue.StructValue(var set)
                    when fieldType instanceof FieldType.StructOf(_, var declared) ->
                    putStruct(declared, set);
            case FieldValue.TensorValue(var tensor)
                    when fieldType instanceof FieldType.TensorOf(var tensorType)
                            && tensorType.accepts(tensor.type()) ->
                    putCells(tensor.as(tensorType));
            case FieldValue.MixedTensorValue(var tensor)
                    when fieldType instanceof FieldType.TensorOf(var tensorType)
                            && tensorType.accepts(tensor.type()) ->
                    putMixed(tensor.as(tensorType));
            case FieldValue.Single _,
                    FieldValue.Composite _,
                    FieldValue.TensorValue _,
                    FieldValue.MixedTensorValue _ ->
                    throw new IllegalArgumentException(
                            "field '%s' is %s, but got a %s"
                                    .formatted(
                                            field.name(),
                                            fieldType.text(),
                                            value.getClass().getSimpleName()));
        }
    }

    private static boolean isStored(FieldType type, FieldType.Primitive as) {
        return switch (type) {
            case FieldType.Primitive primitive -> primitive.stored() == as;
            case FieldType.ReferenceOf _ -> as == FieldType.Primitive.STRING;
            case FieldType.Composite _, FieldType.TensorOf _ -> false;
        };
    }

    private void putStruct(List<Field> declared, Map<String, FieldValue> set) {
        out.putShort(set.size());
        int written = 0;
        for (int i = 0; i < declared.size(); i++) {
            FieldValue value = set.get(declared.get(i).name());
            if (value != null) {
                out.putShort(i);
                putValue(declared.get(i), declared.get(i).type(), value);
                written++;
            }
        }
        if (written < set.size()) {
            throw new IllegalArgumentException("a struct has no field for one of " + set.keySet());
        }
    }

    private void putCells(DenseTensor tensor) {
        for (int i = 0; i < tensor.size(); i++) {
            putCell(tensor.type().cellType(), tensor.cell(i));
        }
    }

    private void putMixed(MixedTensor tensor) {
        List<List<String>> addresses = tensor.addresses();
        out.putInt(addresses.size());
        for (int dimension = 0; dimension < tensor.type().mappedCount(); dimension++) {
            for (List<String> address : addresses) {
                byte[] label = utf8(address.get(dimension));
                out.putInt(label.length);
                out.putBytes(label);
            }
        }
        int size = tensor.type().subspaceSize();
        for (int subspace = 0; subspace < addresses.size(); subspace++) {
            for (int i = 0; i < size; i++) {
                putCell(tensor.type().cellType(), tensor.cell(subspace, i));
            }
        }
    }

    private void putCell(CellType cellType, double cell) {
        switch (cellType) {
            case DOUBLE -> out.putLong(Double.doubleToRawLongBits(cell));
            case FLOAT -> out.putInt(Float.floatToRawIntBits((float) cell));
            case BFLOAT16 -> out.putShort(Float.floatToRawIntBits((float) cell) >>> Short.SIZE);
            case INT8 -> out.putByte((int) cell);
        }
    }

    /** Rejects an unpaired surrogate, which UTF-8 cannot represent. */
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
}
