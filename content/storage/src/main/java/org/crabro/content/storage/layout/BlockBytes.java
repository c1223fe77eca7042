package org.crabro.content.storage.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** A growing, reusable buffer of little-endian bytes. */
public final class BlockBytes {
    /** A larger buffer is freed after its block. */
    private static final int KEPT_CAPACITY = 16 << 20;

    private byte[] array;
    private ByteBuffer buffer;

    public BlockBytes(int capacity) {
        array = new byte[capacity];
        buffer = ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Removes all bytes. */
    public void clear() {
        if (array.length > KEPT_CAPACITY) {
            array = new byte[KEPT_CAPACITY];
            buffer = ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
        }
        buffer.clear();
    }

    public int position() {
        return buffer.position();
    }

    public void putByte(int value) {
        ensure(1);
        buffer.put((byte) value);
    }

    public void putShort(int value) {
        ensure(2);
        buffer.putShort((short) value);
    }

    public void putInt(int value) {
        ensure(4);
        buffer.putInt(value);
    }

    public void putLong(long value) {
        ensure(8);
        buffer.putLong(value);
    }

    public void put(byte[] bytes) {
        put(bytes, bytes.length);
    }

    /** Appends the first {@code count} of {@code bytes}. */
    void put(byte[] bytes, int count) {
        put(bytes, 0, count);
    }

    /** Appends {@code count} of {@code bytes} from {@code offset} on. */
    public void put(byte[] bytes, int offset, int count) {
        ensure(count);
        buffer.put(bytes, offset, count);
    }

    /** Appends {@code count} bytes of {@code source} from {@code offset} on. */
    public void put(MemorySegment source, long offset, int count) {
        ensure(count);
        int at = buffer.position();
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, array, at, count);
        buffer.position(at + count);
    }

    /** Appends all bytes of {@code other}. */
    public void put(BlockBytes other) {
        put(other.array, other.position());
    }

    /** Appends the first {@code count} of {@code numbers}. */
    public void putInts(int[] numbers, int count) {
        int size = Math.multiplyExact(count, Integer.BYTES);
        ensure(size);
        MemorySegment.copy(
                numbers,
                0,
                MemorySegment.ofArray(array),
                BlockLayout.INT,
                buffer.position(),
                count);
        buffer.position(buffer.position() + size);
    }

    /** Appends the first {@code count} of {@code numbers}. */
    public void putLongs(long[] numbers, int count) {
        int size = Math.multiplyExact(count, Long.BYTES);
        ensure(size);
        MemorySegment.copy(
                numbers,
                0,
                MemorySegment.ofArray(array),
                BlockLayout.LONG,
                buffer.position(),
                count);
        buffer.position(buffer.position() + size);
    }

    public void put(ByteBuffer bytes) {
        ensure(bytes.remaining());
        buffer.put(bytes);
    }

    public void putZeros(int count) {
        ensure(count);
        int at = buffer.position();
        Arrays.fill(array, at, at + count, (byte) 0);
        buffer.position(at + count);
    }

    /** Appends zeros up to a multiple of {@code alignment}, a power of two. */
    public void align(int alignment) {
        putZeros(-position() & (alignment - 1));
    }

    /** Replaces a byte. */
    public void setByte(int offset, int value) {
        buffer.put(offset, (byte) value);
    }

    /** Replaces two bytes. */
    public void setShort(int offset, int value) {
        buffer.putShort(offset, (short) value);
    }

    /** Replaces four bytes. */
    public void setInt(int offset, int value) {
        buffer.putInt(offset, value);
    }

    /** Replaces eight bytes. */
    public void setLong(int offset, long value) {
        buffer.putLong(offset, value);
    }

    /** Returns the buffer, valid until it grows. */
    public byte[] array() {
        return array;
    }

    /** Returns a byte. */
    public byte getByte(int offset) {
        return buffer.get(offset);
    }

    /** Returns four bytes. */
    public int getInt(int offset) {
        return buffer.getInt(offset);
    }

    /** Returns eight bytes. */
    public long getLong(int offset) {
        return buffer.getLong(offset);
    }

    public int crc(int from, int to) {
        var crc = new CRC32C();
        crc.update(array, from, to - from);
        return (int) crc.getValue();
    }

    /** Returns all bytes without a copy; valid until more are appended. */
    public ByteBuffer written() {
        return ByteBuffer.wrap(array, 0, buffer.position()).slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Reserves space for {@code count} more bytes, so that the buffer grows at once. */
    public void reserve(int count) {
        ensure(count);
    }

    private void ensure(int count) {
        if (buffer.remaining() < count) {
            int position = buffer.position();
            int needed = Math.addExact(position, count);
            array =
                    Arrays.copyOf(
                            array,
                            Math.max(
                                    needed,
                                    (int) Math.min(array.length * 2L, Integer.MAX_VALUE - 8)));
            buffer = ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN).position(position);
        }
    }
}
