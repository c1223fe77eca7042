package org.crabro.ranking.onnx;

import ai.onnxruntime.OnnxJavaType;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import org.crabro.tensor.CellType;

/**
 * What a model keeps the values of an input or output as. Cells of tensors become such values as a
 * cast in C has it: integers are cut towards zero, and wrap around where they are too large.
 */
public enum ElementType {
    FLOAT(OnnxJavaType.FLOAT, Float.BYTES, CellType.FLOAT),
    DOUBLE(OnnxJavaType.DOUBLE, Double.BYTES, CellType.DOUBLE),
    FLOAT16(OnnxJavaType.FLOAT16, Short.BYTES, CellType.FLOAT),
    BFLOAT16(OnnxJavaType.BFLOAT16, Short.BYTES, CellType.BFLOAT16),
    INT8(OnnxJavaType.INT8, Byte.BYTES, CellType.INT8),
    UINT8(OnnxJavaType.UINT8, Byte.BYTES, CellType.FLOAT),
    INT16(OnnxJavaType.INT16, Short.BYTES, CellType.FLOAT),
    INT32(OnnxJavaType.INT32, Integer.BYTES, CellType.DOUBLE),
    INT64(OnnxJavaType.INT64, Long.BYTES, CellType.DOUBLE);

    private static final int BFLOAT16_SHIFT = 16;

    private final OnnxJavaType runtime;
    private final int size;
    private final CellType cells;

    ElementType(OnnxJavaType runtime, int size, CellType cells) {
        this.runtime = runtime;
        this.size = size;
        this.cells = cells;
    }

    /** Returns the type called {@code name}, such as {@code int64}; nothing for others. */
    static Optional<ElementType> named(String name) {
        for (ElementType type : values()) {
            if (type.toString().equals(name)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    OnnxJavaType runtime() {
        return runtime;
    }

    /** Returns the bytes of one value. */
    int size() {
        return size;
    }

    /** Returns the cells that such values become. */
    CellType cells() {
        return cells;
    }

    /** Writes the first {@code count} cells to the buffer's start. */
    void write(double[] from, int count, ByteBuffer into) {
        switch (this) {
            case FLOAT -> {
                for (int i = 0; i < count; i++) {
                    into.putFloat(i * Float.BYTES, (float) from[i]);
                }
            }
            case DOUBLE -> into.asDoubleBuffer().put(0, from, 0, count);
            case FLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    into.putShort(i * Short.BYTES, Float.floatToFloat16((float) from[i]));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    int bits = Float.floatToRawIntBits((float) from[i]);
                    into.putShort(i * Short.BYTES, (short) (bits >>> BFLOAT16_SHIFT));
                }
            }
            case INT8, UINT8 -> {
                for (int i = 0; i < count; i++) {
                    into.put(i, (byte) (long) from[i]);
                }
            }
            case INT16 -> {
                for (int i = 0; i < count; i++) {
                    into.putShort(i * Short.BYTES, (short) (long) from[i]);
                }
            }
            case INT32 -> {
                for (int i = 0; i < count; i++) {
                    into.putInt(i * Integer.BYTES, (int) (long) from[i]);
                }
            }
            case INT64 -> {
                for (int i = 0; i < count; i++) {
                    into.putLong(i * Long.BYTES, (long) from[i]);
                }
            }
        }
    }

    /** Reads {@code count} cells from the buffer's start. */
    void read(ByteBuffer from, double[] into, int offset, int count) {
        switch (this) {
            case FLOAT -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = from.getFloat(i * Float.BYTES);
                }
            }
            case DOUBLE -> from.asDoubleBuffer().get(0, into, offset, count);
            case FLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = Float.float16ToFloat(from.getShort(i * Short.BYTES));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    int bits = from.getShort(i * Short.BYTES) << BFLOAT16_SHIFT;
                    into[offset + i] = Float.intBitsToFloat(bits);
                }
            }
            case INT8 -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = from.get(i);
                }
            }
            case UINT8 -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = Byte.toUnsignedInt(from.get(i));
                }
            }
            case INT16 -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = from.getShort(i * Short.BYTES);
                }
            }
            case INT32 -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = from.getInt(i * Integer.BYTES);
                }
            }
            case INT64 -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = (double) from.getLong(i * Long.BYTES);
                }
            }
        }
    }

    /** Returns the name, such as {@code int64}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
