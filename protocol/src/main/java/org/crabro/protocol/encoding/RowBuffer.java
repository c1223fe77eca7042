package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Puts an encoded row together, part by part, in memory that grows and is used again for the next:
 * header and id, then each field with its value, in rising order of index, as {@link RowEncoding}
 * pictures it. What is put there is not checked. For one thread.
 */
public final class RowBuffer extends RowParts {
    private int fieldCount;

    /** Begins a row with its header; the id is the bytes from {@code from} to {@code to}. */
    public void begin(
            long fingerprint,
            long timestamp,
            boolean tombstone,
            MemorySegment id,
            long from,
            long to) {
        clear();
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

    /** Puts {@code length} bytes of {@code source} from {@code offset} on. */
    public void putBytes(MemorySegment source, long offset, long length) {
        int count = Math.toIntExact(length);
        reserve(count);
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, bytes, size, count);
        size += count;
    }

    void putBytes(byte[] source) {
        putBytes(source, 0, source.length);
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
}
