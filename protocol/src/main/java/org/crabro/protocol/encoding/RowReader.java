package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;

/** Decodes one row in the format of {@link RowEncoding}, and checks all lengths. */
final class RowReader {
    private final MemorySegment row;
    private final DocumentType type;
    private long offset;

    RowReader(MemorySegment row, DocumentType type) {
        this.row = row;
        this.type = type;
    }

    Row read() {
        long fingerprint = RowEncoding.fingerprint(row);
        if (fingerprint != type.fingerprint()) {
            throw new IllegalArgumentException(
                    "a row has fingerprint %016x, but type '%s' has %016x"
                            .formatted(fingerprint, type.name(), type.fingerprint()));
        }
        int flags = row.get(ValueLayout.JAVA_BYTE, RowEncoding.FLAGS_OFFSET);
        if ((flags & ~RowEncoding.TOMBSTONE_FLAG) != 0) {
            throw new IllegalArgumentException("a row has unknown flags: " + flags);
        }
        int count = Short.toUnsignedInt(row.get(RowEncoding.SHORT, RowEncoding.FIELD_COUNT_OFFSET));
        offset = RowEncoding.ID_OFFSET + RowEncoding.idBytes(row).byteSize();
        Map<String, FieldValue> fields = fields(count, type.fields());
        if (offset != row.byteSize()) {
            throw new IllegalArgumentException(
                    "a row ends at byte %d, but has %d".formatted(offset, row.byteSize()));
        }
        boolean tombstone = RowEncoding.isTombstone(row);
        if (tombstone && count > 0) {
            throw new IllegalArgumentException("a tombstone has %d fields".formatted(count));
        }
        return new Row(
                RowEncoding.id(row), RowEncoding.timestamp(row), fingerprint, tombstone, fields);
    }

    private Map<String, FieldValue> fields(int count, List<Field> declared) {
        Map<String, FieldValue> fields = LinkedHashMap.newLinkedHashMap(count);
        int previous = -1;
        for (int i = 0; i < count; i++) {
            int index = Short.toUnsignedInt(row.get(RowEncoding.SHORT, take(Short.BYTES)));
            if (index <= previous || index >= declared.size()) {
                throw new IllegalArgumentException(
                        "a row of '%s' has field number %d after %d, but the type has %d fields"
                                .formatted(type.name(), index, previous, declared.size()));
            }
            Field field = declared.get(index);
            fields.put(field.name(), value(field.type()));
            previous = index;
        }
        return fields;
    }

    private FieldValue value(FieldType fieldType) {
        return switch (fieldType) {
            case FieldType.Primitive primitive -> primitive(primitive);
            case FieldType.ReferenceOf _ -> primitive(FieldType.Primitive.STRING);
            case FieldType.ArrayOf(var element) -> array(element);
            case FieldType.WeightedSetOf(var element) -> weightedSet(element);
            case FieldType.MapOf(var key, var value) -> map(key, value);
            case FieldType.StructOf(_, var declared) ->
                    new FieldValue.StructValue(struct(declared));
            case FieldType.TensorOf(var tensorType) ->
                    tensorType.isDense()
                            ? new FieldValue.TensorValue(
                                    DenseTensor.of(tensorType, cells(tensorType, 1)))
                            : new FieldValue.MixedTensorValue(mixedTensor(tensorType));
        };
    }

    private FieldValue primitive(FieldType.Primitive primitive) {
        return switch (primitive) {
            case STRING, URI, RAW, PREDICATE -> {
                int length = length();
                yield new FieldValue.StringValue(
                        RowEncoding.text(row.asSlice(take(length), length)));
            }
            case BOOL -> {
                byte value = row.get(ValueLayout.JAVA_BYTE, take(Byte.BYTES));
                if (value != 0 && value != 1) {
                    throw new IllegalArgumentException("a bool is " + value);
                }
                yield new FieldValue.BoolValue(value == 1);
            }
            case INT, BYTE ->
                    new FieldValue.IntValue(row.get(RowEncoding.INT, take(Integer.BYTES)));
            case LONG -> new FieldValue.LongValue(row.get(RowEncoding.LONG, take(Long.BYTES)));
            case FLOAT, FLOAT16 ->
                    new FieldValue.FloatValue(
                            Float.intBitsToFloat(row.get(RowEncoding.INT, take(Float.BYTES))));
            case DOUBLE ->
                    new FieldValue.DoubleValue(
                            Double.longBitsToDouble(row.get(RowEncoding.LONG, take(Double.BYTES))));
        };
    }

    private FieldValue array(FieldType element) {
        int count = length();
        List<FieldValue> elements = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            elements.add(value(element));
        }
        return new FieldValue.ArrayValue(elements);
    }

    private FieldValue weightedSet(FieldType element) {
        int count = length();
        Map<FieldValue, Integer> weights = LinkedHashMap.newLinkedHashMap(count);
        for (int i = 0; i < count; i++) {
            FieldValue key = value(element);
            weights.put(key, row.get(RowEncoding.INT, take(Integer.BYTES)));
        }
        if (weights.size() < count) {
            throw new IllegalArgumentException("a weighted set holds an element twice");
        }
        return new FieldValue.WeightedSetValue(weights);
    }

    private FieldValue map(FieldType keyType, FieldType valueType) {
        int count = length();
        Map<FieldValue, FieldValue> values = LinkedHashMap.newLinkedHashMap(count);
        for (int i = 0; i < count; i++) {
            FieldValue key = value(keyType);
            values.put(key, value(valueType));
        }
        if (values.size() < count) {
            throw new IllegalArgumentException("a map holds a key twice");
        }
        return new FieldValue.MapValue(values);
    }

    private Map<String, FieldValue> struct(List<Field> declared) {
        int count = Short.toUnsignedInt(row.get(RowEncoding.SHORT, take(Short.BYTES)));
        return fields(count, declared);
    }

    private MixedTensor mixedTensor(TensorType tensorType) {
        int count = length();
        var labels = new String[tensorType.mappedCount()][count];
        for (String[] ofDimension : labels) {
            for (int i = 0; i < count; i++) {
                int length = length();
                ofDimension[i] = RowEncoding.text(row.asSlice(take(length), length));
            }
        }
        List<List<String>> addresses = new ArrayList<>(count);
        var address = new String[labels.length];
        for (int i = 0; i < count; i++) {
            for (int dimension = 0; dimension < labels.length; dimension++) {
                address[dimension] = labels[dimension][i];
            }
            addresses.add(List.of(address));
        }
        return MixedTensor.ofSorted(tensorType, addresses, cells(tensorType, count));
    }

    private double[] cells(TensorType tensorType, int subspaces) {
        long width = (long) tensorType.subspaceSize() * tensorType.cellType().size();
        long left = row.byteSize() - offset;
        // Checked by a division, because the product may overflow a long.
        boolean fits = subspaces == 0 || width <= left / subspaces;
        long start = take(fits ? subspaces * width : left + 1);
        int count = subspaces * tensorType.subspaceSize();
        var cells = new double[count];
        switch (tensorType.cellType()) {
            case DOUBLE -> {
                for (int i = 0; i < count; i++) {
                    long bits = row.get(RowEncoding.LONG, start + (long) i * Double.BYTES);
                    cells[i] = Double.longBitsToDouble(bits);
                }
            }
            case FLOAT -> {
                for (int i = 0; i < count; i++) {
                    int bits = row.get(RowEncoding.INT, start + (long) i * Float.BYTES);
                    cells[i] = Float.intBitsToFloat(bits);
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    short bits = row.get(RowEncoding.SHORT, start + (long) i * Short.BYTES);
                    cells[i] = Float.intBitsToFloat(bits << Short.SIZE);
                }
            }
            case INT8 -> {
                for (int i = 0; i < count; i++) {
                    cells[i] = row.get(ValueLayout.JAVA_BYTE, start + i);
                }
            }
        }
        return cells;
    }

    /** Reads a length or a count, which cannot exceed the number of bytes left. */
    private int length() {
        int length = row.get(RowEncoding.INT, take(Integer.BYTES));
        if (length < 0 || length > row.byteSize() - offset) {
            throw new IllegalArgumentException(
                    "a row of %d bytes names %d more at byte %d"
                            .formatted(row.byteSize(), length, offset));
        }
        return length;
    }

    private long take(long length) {
        if (length > row.byteSize() - offset) {
            throw new IllegalArgumentException(
                    "a row of %d bytes ends in a value of %d at byte %d"
                            .formatted(row.byteSize(), length, offset));
        }
        long start = offset;
        offset += length;
        return start;
    }
}
