package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Puts an encoded row together, part by part, in memory that grows and is used again for the next:
 * header and id, then each field with its value, in rising order of index, as {@link RowEncoding}
 * pictures it. What is put there is not checked. For one thread.
 */
public final class RowBuffer {
    private static final int FIRST_CAPACITY = 1_024;

    /** What grew larger for one row is let go of with it. */
    private static final int KEPT_CAPACITY = 4 << 20;

    private byte[] bytes = new byte[FIRST_CAPACITY];
    private MemorySegment segment = MemorySegment.ofArray(bytes);
    private int size;
    private int fieldCount;

    /** Begins a row with its header; the id is the bytes from {@code from} to {@code to}. */
    public void begin(
            long fingerprint,
            long timestamp,
            boolean tombstone,
            MemorySegment id,
            long from,
            long to) {
        if (bytes.length > KEPT_CAPACITY) {
            bytes = new byte[FIRST_CAPACITY];
            segment = MemorySegment.ofArray(bytes);
        }
        size = 0;
        fieldCount = 0;
        putLong(fingerprint);
        putLong(timestamp);
        putByte(tombstone ? RowEncoding.TOMBSTONE_FLAG : 0);
        putByte(RowEncoding.VERSION);
        putShort(0);
        putInt(Math.toIntExact(to - from));
        putBytes(id, from, to - from);
    }

    /** Begins a field; its value is put next. */
    public void beginField(int index) {
        putShort(index);
        fieldCount++;
    }

    public void putByte(int value) {
        reserve(Byte.BYTES);
        bytes[size] = (byte) value;
        size += Byte.BYTES;
    }

    public void putShort(int value) {
        reserve(Short.BYTES);
        segment.set(RowEncoding.SHORT, size, (short) value);
        size += Short.BYTES;
    }

    public void putInt(int value) {
        reserve(Integer.BYTES);
        segment.set(RowEncoding.INT, size, value);
        size += Integer.BYTES;
    }

    public void putLong(long value) {
        reserve(Long.BYTES);
        segment.set(RowEncoding.LONG, size, value);
        size += Long.BYTES;
    }

    /** Puts {@code length} bytes of {@code source} from {@code offset} on. */
    public void putBytes(MemorySegment source, long offset, long length) {
        int count = Math.toIntExact(length);
        reserve(count);
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, bytes, size, count);
        size += count;
    }

    void putBytes(byte[] source) {
        reserve(source.length);
        System.arraycopy(source, 0, bytes, size, source.length);
        size += source.length;
    }

    /** Returns the row, in the same memory: valid until the next is begun. */
    public MemorySegment row() {
        segment.set(RowEncoding.SHORT, RowEncoding.FIELD_COUNT_OFFSET, (short) fieldCount);
        return segment.asSlice(0, size);
    }

    /** Returns the row in memory of its own. */
    byte[] copy() {
        segment.set(RowEncoding.SHORT, RowEncoding.FIELD_COUNT_OFFSET, (short) fieldCount);
        return Arrays.copyOf(bytes, size);
    }

    private void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            long grown = bytes.length + (bytes.length >> 1) + (long) FIRST_CAPACITY;
            bytes =
                    Arrays.copyOf(
                            bytes, Math.max(needed, (int) Math.min(grown, Integer.MAX_VALUE - 8)));
            segment = MemorySegment.ofArray(bytes);
        }
    }
}
