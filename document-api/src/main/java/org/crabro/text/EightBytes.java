package org.crabro.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads eight bytes of a text as a word whose lowest byte is the first. */
public final class EightBytes {
    /** A one in each byte. The product with a byte has that byte in each of its bytes. */
    public static final long EACH = 0x0101_0101_0101_0101L;

    /** The highest bit of each byte. */
    public static final long HIGH = 0x8080_8080_8080_8080L;

    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private EightBytes() {}

    /**
     * Returns the eight bytes from {@code at} on.
     *
     * @throws IndexOutOfBoundsException if there are fewer
     */
    public static long of(byte[] bytes, int at) {
        return (long) WORDS.get(bytes, at);
    }

    /**
     * Writes eight bytes from {@code at} on.
     *
     * @throws IndexOutOfBoundsException if there are fewer than eight
     */
    public static void put(byte[] bytes, int at, long word) {
        WORDS.set(bytes, at, word);
    }

    /** Returns the index of the first byte whose highest bit is set; 8 if there is none. */
    public static int firstHigh(long word) {
        return Long.numberOfTrailingZeros(word & HIGH) >>> 3;
    }
}
