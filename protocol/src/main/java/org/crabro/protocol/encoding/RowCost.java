package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.HeapCost;
import org.crabro.tensor.TensorType;

/** Computes the heap size of a row's values from its bytes, without decoding them. */
public final class RowCost {
    private final MemorySegment row;
    private long at;

    private RowCost(MemorySegment row, long at) {
        this.row = row;
        this.at = at;
    }

    /**
     * Returns an upper bound, by {@link HeapCost}, of the heap size in bytes of the values of a
     * row.
     *
     * @throws IllegalArgumentException if {@code row} is not a row of {@code type}
     */
    public static long of(MemorySegment row, DocumentType type) {
        var fields = new RowFields(type);
        long sum = HeapCost.map(0);
        fields.open(row);
        while (fields.next()) {
            FieldType fieldType = type.fields().get(fields.index()).type();
            sum += HeapCost.map(1) + new RowCost(row, fields.offset()).value(fieldType);
        }
        return sum;
    }

    /** Returns the cost of the current value, and moves past it. */
    private long value(FieldType type) {
        return switch (type) {
            case FieldType.Primitive primitive ->
                    primitive.stored() == FieldType.Primitive.STRING ? text() : number(primitive);
            case FieldType.ReferenceOf _ -> text();
            case FieldType.ArrayOf(var element) -> {
                int count = count();
                long sum = HeapCost.array(count);
                for (int i = 0; i < count; i++) {
                    sum += value(element);
                }
                yield sum;
            }
            case FieldType.WeightedSetOf(var element) -> pairs(element, FieldType.Primitive.INT);
            case FieldType.MapOf(var key, var value) -> pairs(key, value);
            case FieldType.StructOf(_, var declared) -> struct(declared);
            case FieldType.TensorOf(var tensor) -> {
                if (!tensor.isDense()) {
                    yield mixed(tensor);
                }
                at += width(tensor);
                yield HeapCost.dense(tensor.subspaceSize());
            }
        };
    }

    private long text() {
        int length = count();
        at += length;
        return HeapCost.text(length);
    }

    private long number(FieldType.Primitive primitive) {
        at += RowFields.width(primitive);
        return HeapCost.NUMBER;
    }

    private long pairs(FieldType first, FieldType second) {
        int count = count();
        long sum = HeapCost.map(count);
        for (int i = 0; i < count; i++) {
            sum += value(first) + value(second);
        }
        return sum;
    }

    private long struct(List<Field> declared) {
        int count = unsignedShort();
        long sum = HeapCost.map(count);
        for (int i = 0; i < count; i++) {
            sum += value(declared.get(unsignedShort()).type());
        }
        return sum;
    }

    private long mixed(TensorType tensor) {
        int count = count();
        int labels = tensor.mappedCount();
        long labelBytes = 0;
        for (long i = 0; i < (long) labels * count; i++) {
            int length = count();
            at += length;
            labelBytes += length;
        }
        at += width(tensor) * count;
        return HeapCost.mixed(count, tensor.subspaceSize(), labels, labelBytes);
    }

    private static long width(TensorType tensor) {
        return (long) tensor.subspaceSize() * tensor.cellType().size();
    }

    /** Reads a length or a count, which {@link RowFields} has checked before. */
    private int count() {
        int count = row.get(RowEncoding.INT, at);
        at += Integer.BYTES;
        return count;
    }

    private int unsignedShort() {
        int value = Short.toUnsignedInt(row.get(RowEncoding.SHORT, at));
        at += Short.BYTES;
        return value;
    }
}
