package org.crabro.container.bulk;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.protocol.encoding.RowAssembly;
import org.crabro.tensor.CellType;
import org.crabro.tensor.TensorType;

/**
 * Encodes the fields of puts of one type in their common forms, straight from the bytes of the line
 * into the row: texts, numbers, arrays of them, and dense tensors as numbers or as hexadecimal
 * digits. Documents with anything else are left to whoever reads all that there may be. For one
 * thread.
 */
final class PlainPut {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VALUES = "\"values\"".getBytes(StandardCharsets.US_ASCII);

    /** A double that lies between two floats, as near to one as to the other, ends so. */
    private static final long BETWEEN_FLOATS = 0x1000_0000L;

    private static final long BEHIND_FLOATS = 0x1fff_ffffL;

    private static final int MAX_DEPTH = 16;

    private final RowAssembly row;
    private final List<Field> fields;
    private final byte[][] names;
    private final Map<String, Integer> indexes = new HashMap<>();

    PlainPut(DocumentType type) {
        this.row = new RowAssembly(type);
        this.fields = type.fields();
        this.names = new byte[fields.size()][];
        for (int i = 0; i < names.length; i++) {
            names[i] = fields.get(i).name().getBytes(StandardCharsets.UTF_8);
            if (fields.get(i).inDocument()) {
                indexes.put(fields.get(i).name(), i);
            }
        }
    }

    /**
     * Returns the row of a document.
     *
     * @param json where the object with the fields starts; behind it afterwards
     * @param line what {@code json} goes over
     * @param id where the id is, {@code idLength} bytes from {@code idFrom} on
     * @throws JsonBytes.UncommonFormException where a field has not one of the common forms
     */
    byte[] row(JsonBytes json, byte[] line, byte[] id, int idFrom, int idLength) {
        row.begin(id, idFrom, idLength);
        json.expect('{');
        if (!json.passes('}')) {
            int guess = 0;
            do {
                int index = index(json, line, guess);
                guess = index + 1;
                json.expect(':');
                if (json.passes(NULL)) {
                    row.unset(index);
                } else {
                    row.beginField(index);
                    value(fields.get(index).type(), json, line);
                }
            } while (json.passes(','));
            json.expect('}');
        }
        return row.row();
    }

    /** Fields mostly come in the order of the type. */
    private int index(JsonBytes json, byte[] line, int guess) {
        json.next();
        int from = json.at() + 1;
        int to = json.plainString();
        for (int i = guess; i < names.length && i <= guess + 1; i++) {
            if (Arrays.equals(line, from, to, names[i], 0, names[i].length)
                    && fields.get(i).inDocument()) {
                return i;
            }
        }
        Integer index = indexes.get(new String(line, from, to - from, StandardCharsets.UTF_8));
        if (index == null) {
            throw json.uncommon();
        }
        return index;
    }

    private void value(FieldType type, JsonBytes json, byte[] line) {
        if (type instanceof FieldType.Primitive primitive) {
            primitive(primitive, json);
        } else if (type instanceof FieldType.ArrayOf(FieldType.Primitive element)) {
            array(element, json);
        } else if (type instanceof FieldType.TensorOf(TensorType tensor) && tensor.isDense()) {
            tensor(tensor, json, line);
        } else {
            throw json.uncommon();
        }
    }

    private void primitive(FieldType.Primitive type, JsonBytes json) {
        switch (type) {
            case STRING -> json.putString(row);
            case BOOL -> row.putByte(bool(json));
            case BYTE -> row.putInt((int) within(json, Byte.MIN_VALUE, Byte.MAX_VALUE));
            case INT -> row.putInt((int) within(json, Integer.MIN_VALUE, Integer.MAX_VALUE));
            case LONG -> row.putLong(json.wholeNumber());
            case FLOAT -> row.putInt(Float.floatToRawIntBits(nearestFloat(json)));
            case DOUBLE -> row.putLong(Double.doubleToRawLongBits(json.number()));
            case FLOAT16, RAW, URI, PREDICATE -> throw json.uncommon();
        }
    }

    private static int bool(JsonBytes json) {
        if (json.passes(TRUE)) {
            return 1;
        }
        if (json.passes(FALSE)) {
            return 0;
        }
        throw json.uncommon();
    }

    private static long within(JsonBytes json, long least, long most) {
        long value = json.wholeNumber();
        if (value < least || value > most) {
            throw json.uncommon();
        }
        return value;
    }

    /** Refuses what would be rounded twice, to another float than the nearest. */
    private static float nearestFloat(JsonBytes json) {
        double value = json.number();
        if ((Double.doubleToRawLongBits(value) & BEHIND_FLOATS) == BETWEEN_FLOATS
                || (value != 0 && Math.abs(value) < Float.MIN_NORMAL)) {
            throw json.uncommon();
        }
        return (float) value;
    }

    private void array(FieldType.Primitive element, JsonBytes json) {
        json.expect('[');
        int place = row.putCount();
        int count = 0;
        if (!json.passes(']')) {
            do {
                primitive(element, json);
                count++;
            } while (json.passes(','));
            json.expect(']');
        }
        row.setCount(place, count);
    }

    private void tensor(TensorType type, JsonBytes json, byte[] line) {
        if (json.passes('{')) {
            if (!json.passes(VALUES)) {
                throw json.uncommon();
            }
            json.expect(':');
            cells(type, json, line);
            json.expect('}');
        } else {
            cells(type, json, line);
        }
    }

    private void cells(TensorType type, JsonBytes json, byte[] line) {
        if (json.next() == '"') {
            if (type.cellType() == CellType.FLOAT) {
                if (!json.putHexFloats(row, type.cellCount())) {
                    throw json.uncommon();
                }
                return;
            }
            int from = json.at() + 1;
            hexCells(type, json, line, from, json.plainString());
            return;
        }
        int left = numbers(type.cellType(), json, type.cellCount());
        if (left != 0) {
            throw json.uncommon();
        }
    }

    /** Puts the numbers of a list, however they nest, and returns how many are left to be put. */
    private int numbers(CellType cell, JsonBytes json, int count) {
        json.expect('[');
        int left = count;
        int depth = 1;
        while (depth > 0) {
            if (json.passes('[')) {
                depth++;
                if (depth > MAX_DEPTH) {
                    throw json.uncommon();
                }
                continue;
            }
            if (cell == CellType.FLOAT) {
                left -= json.putFloats(row, left);
            }
            if (left-- == 0) {
                throw json.uncommon();
            }
            putCell(cell, json.number());
            while (!json.passes(',')) {
                json.expect(']');
                if (--depth == 0) {
                    break;
                }
            }
        }
        return left;
    }

    private void putCell(CellType type, double value) {
        double cell = type.narrow(value);
        switch (type) {
            case DOUBLE -> row.putLong(Double.doubleToRawLongBits(cell));
            case FLOAT -> row.putInt(Float.floatToRawIntBits((float) cell));
            case BFLOAT16 -> row.putShort(Float.floatToRawIntBits((float) cell) >>> Short.SIZE);
            case INT8 -> row.putByte((int) cell);
        }
    }

    private void hexCells(TensorType type, JsonBytes json, byte[] line, int from, int to) {
        CellType cell = type.cellType();
        int perCell = 2 * cell.size();
        if (to - from != (long) perCell * type.cellCount()) {
            throw json.uncommon();
        }
        for (int at = from; at < to; at += perCell) {
            long bits = 0;
            int wrong = 0;
            for (int i = at; i < at + perCell; i++) {
                int digit = HexDigits.VALUES[line[i] & 0xff];
                wrong |= digit;
                bits = (bits << 4) | (digit & 0xf);
            }
            if (wrong < 0 || isNaN(cell, bits)) {
                throw json.uncommon();
            }
            switch (cell) {
                case DOUBLE -> row.putLong(bits);
                case FLOAT -> row.putInt((int) bits);
                case BFLOAT16 -> row.putShort((int) bits);
                case INT8 -> row.putByte((int) bits);
            }
        }
    }

    /** Which of the many that there are is kept is decided elsewhere. */
    private static boolean isNaN(CellType type, long bits) {
        return switch (type) {
            case DOUBLE -> Double.isNaN(Double.longBitsToDouble(bits));
            case FLOAT -> Float.isNaN(Float.intBitsToFloat((int) bits));
            case BFLOAT16 -> Float.isNaN(Float.intBitsToFloat((int) bits << Short.SIZE));
            case INT8 -> false;
        };
    }
}
