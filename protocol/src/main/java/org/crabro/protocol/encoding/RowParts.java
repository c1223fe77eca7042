package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Memory that grows while parts of a row are put into it one behind the other, and is used again
 * for the next row. For one thread.
 */
abstract sealed class RowParts permits RowAssembly, RowBuffer {
    private static final int FIRST_CAPACITY = 4_096;

    /** What grew larger for one row is let go of. */
    private static final int KEPT_CAPACITY = 4 << 20;

    /** Plain text is put in parts of as many bytes. */
    private static final int PART = 4_096;

    private static final PlainCopy COPY = PlainCopy.best();

    /** The first {@link #size} are those of the row. */
    byte[] bytes = new byte[FIRST_CAPACITY];

    /** The same as {@link #bytes}. */
    MemorySegment segment = MemorySegment.ofArray(bytes);

    int size;

    /** Memory does not grow beyond as many bytes. */
    int limit = Integer.MAX_VALUE;

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

    /**
     * Puts bytes up to the first that is a quote, a backslash, a control character or no ASCII, and
     * returns where that is; {@code to} where there is none.
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

    final void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            if (needed > limit) {
                throw new RowTooLongException(limit);
            }
            long grown = 2L * bytes.length;
            bytes =
                    Arrays.copyOf(
                            bytes, Math.max(needed, (int) Math.min(grown, Integer.MAX_VALUE - 8)));
            segment = MemorySegment.ofArray(bytes);
        }
    }
}
