package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.tensor.TensorType;

/**
 * Iterates over the fields of encoded rows of one type, without decoding their values and without
 * allocating. Reused for every row. For one thread.
 *
 * {@snippet :
 * fields.open(row);
 * while (fields.next()) {
 *     columns[fields.index()].add(row, fields.offset(), fields.length());
 * }
 * }
 *
 * <p>All lengths are checked: every value is within the row, and the row ends with the last value.
 * The content of a value, such as whether a text is UTF-8, is not checked.
 */
public final class RowFields {
    private static final int OF_ITS_OWN_SIZE = -1;

    private final DocumentType type;
    private final List<Field> fields;
    private final long fingerprint;

    /** By field, the number of bytes of its values if it is constant. */
    private final long[] widths;

    private MemorySegment row = MemorySegment.NULL;
    private int left;
    private int index;
    private long offset;
    private long end;

    public RowFields(DocumentType type) {
        this.type = type;
        this.fields = type.fields();
        this.fingerprint = type.fingerprint();
        this.widths = fields.stream().mapToLong(field -> width(field.type())).toArray();
    }

    /** Returns the number of bytes of every value of {@code type}, or -1 if it varies. */
    static long width(FieldType type) {
        return switch (type) {
            case FieldType.Primitive primitive ->
                    switch (primitive) {
                        case STRING, URI, RAW, PREDICATE -> OF_ITS_OWN_SIZE;
                        case BOOL -> Byte.BYTES;
                        case INT, BYTE -> Integer.BYTES;
                        case LONG -> Long.BYTES;
                        case FLOAT, FLOAT16 -> Float.BYTES;
                        case DOUBLE -> Double.BYTES;
                    };
            case FieldType.Composite _, FieldType.ReferenceOf _ -> OF_ITS_OWN_SIZE;
            case FieldType.TensorOf(var tensor) ->
                    tensor.isDense() ? subspaceWidth(tensor) : OF_ITS_OWN_SIZE;
        };
    }

    private static long subspaceWidth(TensorType tensor) {
        return (long) tensor.subspaceSize() * tensor.cellType().size();
    }

    /**
     * Opens a row, before its first field.
     *
     * @throws IllegalArgumentException if the bytes are not a row of the type
     */
    public void open(MemorySegment bytes) {
        if (RowEncoding.fingerprint(bytes) != fingerprint) {
            throw new IllegalArgumentException(
                    "a row has fingerprint %016x, but type '%s' has %016x"
                            .formatted(RowEncoding.fingerprint(bytes), type.name(), fingerprint));
        }
        int flags = bytes.get(ValueLayout.JAVA_BYTE, RowEncoding.FLAGS_OFFSET);
        if ((flags & ~RowEncoding.TOMBSTONE_FLAG) != 0) {
            throw new IllegalArgumentException("a row has unknown flags: " + flags);
        }
        row = bytes;
        left = Short.toUnsignedInt(bytes.get(RowEncoding.SHORT, RowEncoding.FIELD_COUNT_OFFSET));
        if (left > 0 && flags != 0) {
            throw new IllegalArgumentException("a tombstone has %d fields".formatted(left));
        }
        index = -1;
        end = RowEncoding.ID_OFFSET;
        end = behind(end, RowEncoding.idLength(bytes));
    }

    /**
     * Moves to the next field that is set, and returns whether there is one.
     *
     * @throws IllegalArgumentException if the bytes are not a row of the type
     */
    public boolean next() {
        if (left == 0) {
            if (end != row.byteSize()) {
                throw new IllegalArgumentException(
                        "a row ends at byte %d, but has %d".formatted(end, row.byteSize()));
            }
            return false;
        }
        left--;
        long start = behind(end, Short.BYTES);
        int next = Short.toUnsignedInt(row.get(RowEncoding.SHORT, end));
        if (next <= index || next >= widths.length) {
            throw new IllegalArgumentException(
                    "a row of '%s' has field number %d after %d, but the type has %d fields"
                            .formatted(type.name(), next, index, widths.length));
        }
        index = next;
        offset = start;
        end =
                widths[next] == OF_ITS_OWN_SIZE
                        ? behind(start, fields.get(next).type())
                        : behind(start, widths[next]);
        return true;
    }

    /** Returns the index in the type of the current field. */
    public int index() {
        return index;
    }

    /** Returns the offset in the row of the field's value. */
    public long offset() {
        return offset;
    }

    /** Returns the number of bytes of the field's value. */
    public long length() {
        return end - offset;
    }

    /** Returns the offset after the value of {@code valueType} at {@code start}. */
    private long behind(long start, FieldType valueType) {
        return switch (valueType) {
            case FieldType.Primitive primitive ->
                    primitive.stored() == FieldType.Primitive.STRING
                            ? behindText(start)
                            : behind(start, width(primitive));
            case FieldType.ReferenceOf _ -> behindText(start);
            case FieldType.ArrayOf(var element) -> elements(start, element);
            case FieldType.WeightedSetOf(var element) ->
                    pairs(start, element, FieldType.Primitive.INT);
            case FieldType.MapOf(var key, var value) -> pairs(start, key, value);
            case FieldType.StructOf(_, var declared) -> struct(start, declared);
            case FieldType.TensorOf(var tensor) ->
                    tensor.isDense()
                            ? behind(start, subspaceWidth(tensor))
                            : mixedTensor(start, tensor);
        };
    }

    private long behindText(long start) {
        return behind(behind(start, Integer.BYTES), count(start));
    }

    private long elements(long start, FieldType element) {
        long at = behind(start, Integer.BYTES);
        int count = count(start);
        long width = width(element);
        if (width != OF_ITS_OWN_SIZE) {
            return behind(at, width * count);
        }
        for (int i = 0; i < count; i++) {
            at = behind(at, element);
        }
        return at;
    }

    private long pairs(long start, FieldType first, FieldType second) {
        long at = behind(start, Integer.BYTES);
        int count = count(start);
        for (int i = 0; i < count; i++) {
            at = behind(behind(at, first), second);
        }
        return at;
    }

    private long mixedTensor(long start, TensorType tensor) {
        long at = behind(start, Integer.BYTES);
        int count = count(start);
        int labels = tensor.mappedCount();
        for (int dimension = 0; dimension < labels; dimension++) {
            for (int i = 0; i < count; i++) {
                at = behind(at, FieldType.Primitive.STRING);
            }
        }
        // Added in a loop, because the product may overflow a long.
        for (int i = 0; i < count; i++) {
            at = behind(at, subspaceWidth(tensor));
        }
        return at;
    }

    private long struct(long start, List<Field> declared) {
        long at = behind(start, Short.BYTES);
        int count = Short.toUnsignedInt(row.get(RowEncoding.SHORT, start));
        int previous = -1;
        for (int i = 0; i < count; i++) {
            long value = behind(at, Short.BYTES);
            int number = Short.toUnsignedInt(row.get(RowEncoding.SHORT, at));
            if (number <= previous || number >= declared.size()) {
                throw new IllegalArgumentException(
                        "a row of '%s' has a struct with field number %d after %d"
                                .formatted(type.name(), number, previous));
            }
            previous = number;
            at = behind(value, declared.get(number).type());
        }
        return at;
    }

    /**
     * Returns the length or count at {@code start}, which cannot exceed the number of bytes left.
     */
    private int count(long start) {
        int count = row.get(RowEncoding.INT, start);
        if (count < 0 || count > row.byteSize() - start - Integer.BYTES) {
            throw new IllegalArgumentException(
                    "a row of %d bytes names %d more at byte %d"
                            .formatted(row.byteSize(), count, start));
        }
        return count;
    }

    private long behind(long start, long length) {
        if (length > row.byteSize() - start) {
            throw new IllegalArgumentException(
                    "a row of %d bytes ends in a value of %d at byte %d"
                            .formatted(row.byteSize(), length, start));
        }
        return start + length;
    }
}
