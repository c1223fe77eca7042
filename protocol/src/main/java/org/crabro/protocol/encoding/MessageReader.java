package org.crabro.protocol.encoding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads messages from {@link MessageWriter}, and checks all lengths. */
final class MessageReader {
    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private int offset;
    private int depth;

    MessageReader(byte[] bytes) {
        this.bytes = bytes;
    }

    int readByte() {
        return bytes[take(Byte.BYTES, "a byte")] & 0xff;
    }

    boolean readBoolean() {
        int value = readByte();
        if (value > 1) {
            throw wrong(1, "0 or 1", value);
        }
        return value == 1;
    }

    short readShort() {
        return (short) SHORT.get(bytes, take(Short.BYTES, "2 bytes"));
    }

    int readInt() {
        return (int) INT.get(bytes, take(Integer.BYTES, "4 bytes"));
    }

    long readLong() {
        return (long) LONG.get(bytes, take(Long.BYTES, "8 bytes"));
    }

    float readFloat() {
        return Float.intBitsToFloat(readInt());
    }

    double readDouble() {
        return Double.longBitsToDouble(readLong());
    }

    String readText() {
        int start = offset;
        int length = readCount();
        int at = take(length, length + " bytes of text");
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, at, length))
                    .toString();
        } catch (CharacterCodingException _) {
            throw new WireFormatException(start, "text in UTF-8", "bytes that are none");
        }
    }

    byte[] readBytes() {
        int length = readCount();
        int at = take(length, length + " bytes");
        return Arrays.copyOfRange(bytes, at, at + length);
    }

    /** Reads a count of elements of at least one byte each. */
    int readCount() {
        int start = offset;
        int count = readInt();
        if (count < 0 || count > remaining()) {
            throw new WireFormatException(
                    start,
                    "a count of at most the %d bytes left".formatted(remaining()),
                    Integer.toUnsignedString(count));
        }
        return count;
    }

    <T> List<T> readList(Supplier<T> element) {
        int count = readCount();
        var elements = new ArrayList<T>();
        for (int i = 0; i < count; i++) {
            elements.add(element.get());
        }
        return elements;
    }

    <V> Map<String, V> readMap(Supplier<V> value) {
        int count = readCount();
        var map = new LinkedHashMap<String, V>();
        for (int i = 0; i < count; i++) {
            int start = offset;
            String key = readText();
            if (map.put(key, value.get()) != null) {
                throw new WireFormatException(start, "a key that is new", "'" + key + "' again");
            }
        }
        return map;
    }

    <T> Optional<T> readOptional(Supplier<T> value) {
        return readBoolean() ? Optional.of(value.get()) : Optional.empty();
    }

    /** Reads an element that may contain elements of its own kind. */
    <T> T readNested(Supplier<T> nested) {
        if (++depth > MessageEncoding.DEPTH_MAX) {
            throw new WireFormatException(
                    offset, "at most " + MessageEncoding.DEPTH_MAX + " levels", "more");
        }
        T read = nested.get();
        depth--;
        return read;
    }

    /** Reads a value whose constructor may reject it. */
    <T> T readChecked(String expected, Supplier<T> checked) {
        int start = offset;
        try {
            return checked.get();
        } catch (WireFormatException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new WireFormatException(start, expected, String.valueOf(e.getMessage()));
        }
    }

    int offset() {
        return offset;
    }

    int remaining() {
        return bytes.length - offset;
    }

    void expectEnd() {
        if (remaining() > 0) {
            throw new WireFormatException(offset, "the end", remaining() + " bytes more");
        }
    }

    /** Returns the exception for an unknown tag that was read last. */
    WireFormatException unknown(String what, int tag) {
        return wrong(1, what, tag);
    }

    private WireFormatException wrong(int back, String expected, int actual) {
        return new WireFormatException(offset - back, expected, Integer.toString(actual));
    }

    /** Returns the offset of the next {@code length} bytes, and moves past them. */
    int take(int length, String expected) {
        if (length > remaining()) {
            throw new WireFormatException(
                    offset, expected, "the end after %d bytes".formatted(remaining()));
        }
        int start = offset;
        offset += length;
        return start;
    }
}
