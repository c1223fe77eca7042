package org.crabro.protocol.encoding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Copies eight bytes at a time. */
final class WordPlainCopy implements PlainCopy {
    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    @Override
    public int copy(byte[] source, int from, int to, byte[] target, int into) {
        int shift = into - from;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long word = (long) WORDS.get(source, at);
            WORDS.set(target, shift + at, word);
            long special = PlainText.special(word);
            if (special != 0) {
                return at + (Long.numberOfTrailingZeros(special) >>> 3);
            }
        }
        for (; at < to && PlainText.isPlain(source[at]); at++) {
            target[shift + at] = source[at];
        }
        return at;
    }
}
