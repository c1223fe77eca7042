package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.crabro.document.memory.MemoryShare;

/**
 * Growing memory to which the parts of a row are appended. It is reused for the next row. For one
 * thread.
 */
abstract sealed class RowParts permits RowAssembly, RowBuffer {
    private static final int FIRST_CAPACITY = 4_096;

    /** Memory beyond this size is released after a row. */
    private static final int KEPT_CAPACITY = 4 << 20;

    /** The number of bytes of plain text that are appended at a time. */
    private static final int PART = 4_096;

    private static final PlainCopy COPY = PlainCopy.best();

    /** The memory of shorter rows is bounded by the number of requests. */
    private static final int CHARGED = 64 << 10;

    /** The first {@link #size} bytes are the row. */
    byte[] bytes = new byte[FIRST_CAPACITY];

    /** A view of {@link #bytes}. */
    MemorySegment segment = MemorySegment.ofArray(bytes);

    int size;

    /** The maximum size to which memory grows, in bytes. */
    int limit = Integer.MAX_VALUE;

    /** Removes all parts. */
    final void clear() {
        if (bytes.length > KEPT_CAPACITY) {
            bytes = new byte[FIRST_CAPACITY];
            segment = MemorySegment.ofArray(bytes);
        }
        size = 0;
    }

    public final void putByte(int value) {
        reserve(Byte.BYTES);
        bytes[size] = (byte) value;
        size += Byte.BYTES;
    }

    public final void putShort(int value) {
        reserve(Short.BYTES);
        segment.set(RowEncoding.SHORT, size, (short) value);
        size += Short.BYTES;
    }

    public final void putInt(int value) {
        reserve(Integer.BYTES);
        segment.set(RowEncoding.INT, size, value);
        size += Integer.BYTES;
    }

    public final void putLong(long value) {
        reserve(Long.BYTES);
        segment.set(RowEncoding.LONG, size, value);
        size += Long.BYTES;
    }

    public final void putBytes(byte[] source, int from, int length) {
        reserve(length);
        System.arraycopy(source, from, bytes, size, length);
        size += length;
    }

    /**
     * Appends bytes up to the first that is a quote, a backslash, a control character or not ASCII,
     * and returns the index of that byte; {@code to} if there is none.
     */
    public final int putPlain(byte[] source, int from, int to) {
        int at = from;
        while (at < to) {
            int end = Math.min(to, at + PART);
            reserve(end - at);
            int plain = COPY.copy(source, at, end, bytes, size);
            size += plain - at;
            at = plain;
            if (plain < end) {
                break;
            }
        }
        return at;
    }

    /** Charges the memory of the current request for a long array. */
    static void charge(int length) {
        if (length >= CHARGED) {
            MemoryShare.current().charge(length);
        }
    }

    final void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            if (needed > limit) {
                throw new RowTooLongException(limit);
            }
            long doubled = 2L * bytes.length;
            int grown = Math.max(needed, (int) Math.min(doubled, Integer.MAX_VALUE - 8));
            charge(grown - bytes.length);
            bytes = Arrays.copyOf(bytes, grown);
            segment = MemorySegment.ofArray(bytes);
        }
    }
}
