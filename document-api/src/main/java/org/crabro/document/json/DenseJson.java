package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.crabro.document.FieldValue;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Writes dense tensors of one type from their cells in memory. The bytes are those of {@link
 * FieldValueWriter}. For one thread.
 */
public final class DenseJson {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final byte[] NULL = "null".getBytes(US_ASCII);
    private static final byte[] ADDRESS = "{\"address\":{".getBytes(US_ASCII);
    private static final byte[] VALUE = "},\"value\":".getBytes(US_ASCII);

    private final TensorType type;
    private final TensorFormat format;
    private final int[] sizes;
    private final byte[][] names;

    /** The JSON before the cells, if they are in an object. */
    private final byte[] before;

    public DenseJson(TensorType type, TensorFormat format) {
        this.type = type;
        this.format = format;
        int count = type.dimensions().size();
        this.sizes = new int[count];
        this.names = new byte[count][];
        for (int i = 0; i < count; i++) {
            Dimension dimension = type.dimensions().get(i);
            sizes[i] = ((Dimension.Indexed) dimension).size();
            names[i] = JsonBytes.member(dimension.name());
        }
        this.before =
                format.withType()
                        ? ("{\"type\":\"" + type + "\",\"" + format.denseMember() + "\":")
                                .getBytes(US_ASCII)
                        : new byte[0];
    }

    /**
     * Writes a tensor.
     *
     * @param cells contains its cells in standard order and little-endian, from {@code offset} on
     */
    public void write(MemorySegment cells, long offset, JsonBytes json) {
        json.put(before);
        switch (format.cells()) {
            case COMPACT -> {
                if (sizes.length == 0) {
                    json.put('[');
                    writeCell(cells, offset, json);
                    json.put(']');
                } else {
                    writeNested(cells, offset, 0, type.cellCount(), json);
                }
            }
            case HEX -> {
                json.put('"');
                json.hex(cells, offset, type.cellCount(), type.cellType().size());
                json.put('"');
            }
            case ADDRESSED -> writeCells(cells, offset, json);
            case LITERAL, LONG_LITERAL -> {
                var value = new FieldValue.TensorValue(tensor(cells, offset));
                json.put(FieldValueWriter.utf8(value, format));
            }
        }
        if (before.length > 0) {
            json.put('}');
        }
    }

    private DenseTensor tensor(MemorySegment cells, long offset) {
        var values = new double[type.cellCount()];
        for (int i = 0; i < values.length; i++) {
            long at = offset + (long) i * type.cellType().size();
            values[i] = cell(cells, at);
        }
        return DenseTensor.of(type, values);
    }

    private void writeNested(
            MemorySegment cells, long offset, int level, int count, JsonBytes json) {
        int part = count / sizes[level];
        int size = type.cellType().size();
        json.put('[');
        for (int i = 0; i < sizes[level]; i++) {
            if (i > 0) {
                json.put(',');
            }
            long at = offset + (long) i * part * size;
            if (level + 1 == sizes.length) {
                writeCell(cells, at, json);
            } else {
                writeNested(cells, at, level + 1, part, json);
            }
        }
        json.put(']');
    }

    private void writeCells(MemorySegment cells, long offset, JsonBytes json) {
        json.put('[');
        for (int i = 0; i < type.cellCount(); i++) {
            if (i > 0) {
                json.put(',');
            }
            json.put(ADDRESS);
            int part = type.cellCount();
            for (int level = 0; level < sizes.length; level++) {
                if (level > 0) {
                    json.put(',');
                }
                part /= sizes[level];
                json.put(names[level]);
                json.put('"');
                json.number((long) (i / part % sizes[level]));
                json.put('"');
            }
            json.put(VALUE);
            writeCell(cells, offset + (long) i * type.cellType().size(), json);
            json.put('}');
        }
        json.put(']');
    }

    private void writeCell(MemorySegment cells, long at, JsonBytes json) {
        switch (type.cellType()) {
            case INT8 -> json.number((long) cells.get(ValueLayout.JAVA_BYTE, at));
            case DOUBLE, FLOAT, BFLOAT16 -> writeReal(cell(cells, at), json);
        }
    }

    private double cell(MemorySegment cells, long at) {
        return switch (type.cellType()) {
            case DOUBLE -> Double.longBitsToDouble(cells.get(LONG, at));
            case FLOAT -> Float.intBitsToFloat(cells.get(INT, at));
            case BFLOAT16 -> Float.intBitsToFloat(cells.get(SHORT, at) << 16);
            case INT8 -> cells.get(ValueLayout.JAVA_BYTE, at);
        };
    }

    private static void writeReal(double cell, JsonBytes json) {
        if (Double.isFinite(cell)) {
            json.number(cell);
        } else {
            json.put(NULL);
        }
    }
}
