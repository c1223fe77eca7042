package org.crabro.ranking.onnx;

import ai.onnxruntime.OnnxJavaType;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import org.crabro.tensor.CellType;

/**
 * The type of the values of a model's input or output. Cells of tensors are cast to it as in C:
 * integers are truncated towards zero, and wrap around if they are too large.
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

    /** Returns the type called {@code name}, such as {@code int64}; empty for other names. */
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
    public CellType cells() {
        return cells;
    }

    /** Returns whether values need not be whole. */
    boolean isFraction() {
        return switch (this) {
            case FLOAT, DOUBLE, FLOAT16, BFLOAT16 -> true;
            case INT8, UINT8, INT16, INT32, INT64 -> false;
        };
    }

    /**
     * Writes the first {@code count} cells.
     *
     * @param at bytes from the buffer's start
     */
    void write(double[] from, int count, ByteBuffer into, int at) {
        switch (this) {
            case FLOAT -> {
                for (int i = 0; i < count; i++) {
                    into.putFloat(at + i * Float.BYTES, (float) from[i]);
                }
            }
            case DOUBLE -> {
                for (int i = 0; i < count; i++) {
                    into.putDouble(at + i * Double.BYTES, from[i]);
                }
            }
            case FLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    into.putShort(at + i * Short.BYTES, Float.floatToFloat16((float) from[i]));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    int bits = Float.floatToRawIntBits((float) from[i]);
                    into.putShort(at + i * Short.BYTES, (short) (bits >>> BFLOAT16_SHIFT));
                }
            }
            case INT8, UINT8 -> {
                for (int i = 0; i < count; i++) {
                    into.put(at + i, (byte) (long) from[i]);
                }
            }
            case INT16 -> {
                for (int i = 0; i < count; i++) {
                    into.putShort(at + i * Short.BYTES, (short) (long) from[i]);
                }
            }
            case INT32 -> {
                for (int i = 0; i < count; i++) {
                    into.putInt(at + i * Integer.BYTES, (int) (long) from[i]);
                }
            }
            case INT64 -> {
                for (int i = 0; i < count; i++) {
                    into.putLong(at + i * Long.BYTES, (long) from[i]);
                }
            }
        }
    }

    /**
     * Reads {@code count} cells.
     *
     * @param at bytes from the buffer's start
     */
    void read(ByteBuffer from, int at, double[] into, int offset, int count) {
        switch (this) {
            case FLOAT -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = from.getFloat(at + i * Float.BYTES);
                }
            }
            case DOUBLE -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = from.getDouble(at + i * Double.BYTES);
                }
            }
            case FLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = Float.float16ToFloat(from.getShort(at + i * Short.BYTES));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    int bits = from.getShort(at + i * Short.BYTES) << BFLOAT16_SHIFT;
                    into[offset + i] = Float.intBitsToFloat(bits);
                }
            }
            case INT8 -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = from.get(at + i);
                }
            }
            case UINT8 -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = Byte.toUnsignedInt(from.get(at + i));
                }
            }
            case INT16 -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = from.getShort(at + i * Short.BYTES);
                }
            }
            case INT32 -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = from.getInt(at + i * Integer.BYTES);
                }
            }
            case INT64 -> {
                for (int i = 0; i < count; i++) {
                    into[offset + i] = (double) from.getLong(at + i * Long.BYTES);
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
