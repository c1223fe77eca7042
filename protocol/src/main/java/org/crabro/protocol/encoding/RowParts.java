package org.crabro.protocol.encoding;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Memory that grows while parts of a row are put into it one behind the other, and is used again
 * for the next row. For one thread.
 */
abstract sealed class RowParts permits RowAssembly, RowBuffer {
    private static final int FIRST_CAPACITY = 4_096;

    /** What grew larger for one row is let go of with the next. */
    private static final int KEPT_CAPACITY = 4 << 20;

    /** Plain text is put in parts of as many bytes. */
    private static final int PART = 4_096;

    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

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

    /**
     * Puts bytes up to the first that is a quote, a backslash, a control character or no ASCII, and
     * returns where that is; {@code to} where there is none.
     */
    public final int putPlain(byte[] source, int from, int to) {
        int at = from;
        while (to - at >= Long.BYTES) {
            int part = Math.min(to - at, PART) & -Long.BYTES;
            reserve(part);
            byte[] target = bytes;
            int into = size - at;
            for (int end = at + part; at < end; at += Long.BYTES) {
                long word = (long) WORDS.get(source, at);
                // What is behind the end is written over, or never looked at.
                WORDS.set(target, into + at, word);
                long special = PlainText.special(word);
                if (special != 0) {
                    at += Long.numberOfTrailingZeros(special) >>> 3;
                    size = into + at;
                    return at;
                }
            }
            size = into + at;
        }
        reserve(to - at);
        while (at < to && PlainText.isPlain(source[at])) {
            bytes[size++] = source[at++];
        }
        return at;
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
