package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Writes an encoded row part by part into growing memory, which is reused for the next row: header
 * and id, then each field with its value, in rising order of index, in the format of {@link
 * RowEncoding}. The content is not checked. For one thread.
 */
public final class RowBuffer extends RowParts {
    private int fieldCount;

    /** Starts a row with its header; the id is the bytes from {@code from} to {@code to}. */
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

    /** Starts a field; its value must follow. */
    public void beginField(int index) {
        putShort(index);
        fieldCount++;
    }

    /** Appends {@code length} bytes of {@code source} from {@code offset} on. */
    public void putBytes(MemorySegment source, long offset, long length) {
        int count = Math.toIntExact(length);
        reserve(count);
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, bytes, size, count);
        size += count;
    }

    void putBytes(byte[] source) {
        putBytes(source, 0, source.length);
    }

    /** Returns the row in the reused memory. Valid until the next row is started. */
    public MemorySegment row() {
        segment.set(RowEncoding.SHORT, RowEncoding.FIELD_COUNT_OFFSET, (short) fieldCount);
        return segment.asSlice(0, size);
    }

    /** Returns a copy of the row. */
    byte[] copy() {
        segment.set(RowEncoding.SHORT, RowEncoding.FIELD_COUNT_OFFSET, (short) fieldCount);
        charge(size);
        return Arrays.copyOf(bytes, size);
    }
}
