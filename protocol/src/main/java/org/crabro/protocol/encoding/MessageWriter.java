package org.crabro.protocol.encoding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Writes the parts of messages to a growing array. Little-endian. */
final class MessageWriter {
    private static final int FIRST_CAPACITY = 512;

    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = new byte[FIRST_CAPACITY];
    private int size;

    /**
     * Returns the written bytes, after setting their length at {@code lengthOffset} of the header.
     */
    byte[] sealed(int lengthOffset) {
        INT.set(bytes, lengthOffset, size - lengthOffset - Integer.BYTES);
        return Arrays.copyOf(bytes, size);
    }

    void putByte(int value) {
        reserve(Byte.BYTES);
        bytes[size++] = (byte) value;
    }

    void putBoolean(boolean value) {
        putByte(value ? 1 : 0);
    }

    void putShort(int value) {
        reserve(Short.BYTES);
        SHORT.set(bytes, size, (short) value);
        size += Short.BYTES;
    }

    void putInt(int value) {
        reserve(Integer.BYTES);
        INT.set(bytes, size, value);
        size += Integer.BYTES;
    }

    void putLong(long value) {
        reserve(Long.BYTES);
        LONG.set(bytes, size, value);
        size += Long.BYTES;
    }

    void putFloat(float value) {
        putInt(Float.floatToRawIntBits(value));
    }

    void putDouble(double value) {
        putLong(Double.doubleToRawLongBits(value));
    }

    /**
     * @throws IllegalArgumentException if {@code text} contains an unpaired surrogate, which UTF-8
     *     cannot represent
     */
    void putText(String text) {
        ByteBuffer utf8;
        try {
            utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a text holds half a surrogate pair", e);
        }
        int length = utf8.remaining();
        putInt(length);
        reserve(length);
        utf8.get(bytes, size, length);
        size += length;
    }

    /** Writes the length, then the bytes. */
    void putBytes(byte[] source) {
        putInt(source.length);
        reserve(source.length);
        System.arraycopy(source, 0, bytes, size, source.length);
        size += source.length;
    }

    /** Writes the length, then the bytes from position to limit, which are not changed. */
    void putBytes(ByteBuffer from) {
        int length = from.remaining();
        putInt(length);
        reserve(length);
        from.get(from.position(), bytes, size, length);
        size += length;
    }

    <T> void putList(Collection<T> elements, Consumer<T> element) {
        putInt(elements.size());
        elements.forEach(element);
    }

    /** Writes the entries in the order of the map. */
    <V> void putMap(Map<String, V> map, Consumer<V> value) {
        putInt(map.size());
        map.forEach((key, each) -> {
            putText(key);
            value.accept(each);
        });
    }

    <T> void putOptional(Optional<T> optional, Consumer<T> value) {
        putBoolean(optional.isPresent());
        optional.ifPresent(value);
    }

    private void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > MessageEncoding.LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "a message has more than %d bytes".formatted(MessageEncoding.LENGTH_MAX));
        }
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length + (bytes.length >> 1)));
        }
    }
}
