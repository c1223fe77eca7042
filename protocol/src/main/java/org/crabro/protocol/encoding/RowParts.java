package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Memory that grows while parts of a row are put into it one behind the other, and is used again
 * for the next row. For one thread.
 */
abstract sealed class RowParts permits RowAssembly, RowBuffer {
    private static final int FIRST_CAPACITY = 4_096;

    /** What grew larger for one row is let go of with the next. */
    private static final int KEPT_CAPACITY = 4 << 20;

    /** The first {@link #size} are those of the row. */
    byte[] bytes = new byte[FIRST_CAPACITY];

    /** The same as {@link #bytes}. */
    MemorySegment segment = MemorySegment.ofArray(bytes);

    int size;

    /** Forgets what was put. */
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

    final void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            long grown = 2L * bytes.length;
            bytes =
                    Arrays.copyOf(
                            bytes, Math.max(needed, (int) Math.min(grown, Integer.MAX_VALUE - 8)));
            segment = MemorySegment.ofArray(bytes);
        }
    }
}
