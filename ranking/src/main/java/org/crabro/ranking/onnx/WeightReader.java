package org.crabro.ranking.onnx;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the weights in the bytes of an ONNX file. It reads the few fields of the format that
 * describe initializers of the main graph, and skips all others.
 */
final class WeightReader {
    /** The maximum length of a name; longer ones are left out. */
    private static final int NAME_LENGTH_MAX = 1 << 16;

    /** The maximum number of weights; further ones are left out. */
    private static final int WEIGHTS_MAX = 1 << 16;

    /** The maximum number of dimensions; weights with more are left out. */
    private static final int DIMENSIONS_MAX = 64;

    // Numbers of fields in the messages of the format.
    private static final int MODEL_GRAPH = 7;
    private static final int GRAPH_INITIALIZER = 5;
    private static final int TENSOR_DIMENSIONS = 1;
    private static final int TENSOR_TYPE = 2;
    private static final int TENSOR_NAME = 8;
    private static final int TENSOR_BYTES = 9;

    private static final int VARINT = 0;
    private static final int EIGHT_BYTES = 1;
    private static final int BYTES = 2;
    private static final int FOUR_BYTES = 5;

    private final MemorySegment file;
    private final List<Weight> weights = new ArrayList<>();
    private long at;

    private WeightReader(MemorySegment file) {
        this.file = file;
    }

    /**
     * A weight whose values are in the file as they are in memory.
     *
     * @param shape the sizes of the dimensions
     * @param offset of the values in the file, in bytes
     * @param bytes their length, which fits the shape
     */
    record Weight(String name, ElementType element, List<Long> shape, long offset, long bytes) {
        Weight {
            shape = List.copyOf(shape);
        }
    }

    /**
     * Returns the weights in the order of the file.
     *
     * @throws InvalidModelException if the bytes are no model; the message names the place
     */
    static List<Weight> read(MemorySegment file) {
        var reader = new WeightReader(file);
        long size = file.byteSize();
        while (reader.at < size) {
            long key = reader.varint(size);
            if (key == (MODEL_GRAPH << 3 | BYTES)) {
                reader.graph(reader.end(size));
            } else {
                reader.skip(key, size);
            }
        }
        return reader.weights;
    }

    private void graph(long end) {
        while (at < end) {
            long key = varint(end);
            if (key == (GRAPH_INITIALIZER << 3 | BYTES)) {
                tensor(end(end));
            } else {
                skip(key, end);
            }
        }
    }

    private void tensor(long end) {
        var shape = new ArrayList<Long>();
        String name = "";
        long type = 0;
        long offset = 0;
        long bytes = 0;
        while (at < end) {
            long key = varint(end);
            if (key == (TENSOR_DIMENSIONS << 3 | VARINT)) {
                add(shape, varint(end));
            } else if (key == (TENSOR_DIMENSIONS << 3 | BYTES)) {
                long last = end(end);
                while (at < last) {
                    add(shape, varint(last));
                }
            } else if (key == (TENSOR_TYPE << 3 | VARINT)) {
                type = varint(end);
            } else if (key == (TENSOR_NAME << 3 | BYTES)) {
                name = text(end(end));
            } else if (key == (TENSOR_BYTES << 3 | BYTES)) {
                long last = end(end);
                offset = at;
                bytes = last - at;
                at = last;
            } else {
                skip(key, end);
            }
        }
        Optional<ElementType> element = element(type);
        if (!name.isEmpty()
                && weights.size() < WEIGHTS_MAX
                && element.isPresent()
                && bytes > 0
                && bytes == bytes(shape, element.get())) {
            weights.add(new Weight(name, element.get(), shape, offset, bytes));
        }
    }

    private static void add(List<Long> shape, long size) {
        // One too many tells that the weight cannot be used.
        if (shape.size() <= DIMENSIONS_MAX) {
            shape.add(size);
        }
    }

    /** Returns the bytes of values of a shape; -1 if it is no usable shape. */
    private static long bytes(List<Long> shape, ElementType element) {
        long bytes = element.size();
        if (shape.size() > DIMENSIONS_MAX) {
            return -1;
        }
        for (long size : shape) {
            if (size < 0 || Math.multiplyHigh(bytes, size) != 0 || bytes * size < 0) {
                return -1;
            }
            bytes *= size;
        }
        return bytes;
    }

    /** Returns the type with this number in the format; empty for types that are not shared. */
    private static Optional<ElementType> element(long type) {
        return switch (Math.clamp(type, 0, Integer.MAX_VALUE)) {
            case 1 -> Optional.of(ElementType.FLOAT);
            case 2 -> Optional.of(ElementType.UINT8);
            case 3 -> Optional.of(ElementType.INT8);
            case 5 -> Optional.of(ElementType.INT16);
            case 6 -> Optional.of(ElementType.INT32);
            case 7 -> Optional.of(ElementType.INT64);
            case 10 -> Optional.of(ElementType.FLOAT16);
            case 11 -> Optional.of(ElementType.DOUBLE);
            case 16 -> Optional.of(ElementType.BFLOAT16);
            default -> Optional.empty();
        };
    }

    /** Returns the text up to {@code end}; empty if it is too long for a name. */
    private String text(long end) {
        long length = end - at;
        byte[] bytes =
                length > NAME_LENGTH_MAX
                        ? new byte[0]
                        : file.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
        at = end;
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Reads a length and returns the end of the message or text that follows. */
    private long end(long limit) {
        long length = varint(limit);
        if (length < 0 || length > limit - at) {
            throw broken("a part of %d bytes, and %d are left".formatted(length, limit - at));
        }
        return at + length;
    }

    private void skip(long key, long limit) {
        switch ((int) (key & 7)) {
            case VARINT -> varint(limit);
            case EIGHT_BYTES -> move(Long.BYTES, limit);
            case BYTES -> at = end(limit);
            case FOUR_BYTES -> move(Integer.BYTES, limit);
            default -> throw broken("a field of an unknown kind");
        }
    }

    private void move(int count, long limit) {
        if (limit - at < count) {
            throw broken("it ends early");
        }
        at += count;
    }

    private long varint(long limit) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (at >= limit) {
                throw broken("it ends early");
            }
            byte b = file.get(ValueLayout.JAVA_BYTE, at);
            at++;
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw broken("a number of more than 64 bits");
    }

    private InvalidModelException broken(String problem) {
        return new InvalidModelException(
                "it is no ONNX model: at byte %d: %s".formatted(at, problem));
    }
}
