package org.crabro.content.storage.block.key;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Compares texts in memory segments by their bytes: unsigned, a prefix before longer texts. */
final class KeyTexts {
    /** The end of the text of a group in an id. */
    static final byte END = ':';

    private static final ValueLayout.OfLong BIG_ENDIAN =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private KeyTexts() {}

    static int compare(
            MemorySegment bytes, long from, long to, byte[] text, int textFrom, int textTo) {
        long length = Math.min(to - from, textTo - textFrom);
        for (int i = 0; i < length; i++) {
            int order =
                    Byte.compareUnsigned(
                            bytes.get(ValueLayout.JAVA_BYTE, from + i), text[textFrom + i]);
            if (order != 0) {
                return order;
            }
        }
        return Long.compare(to - from, textTo - textFrom);
    }

    static int compare(
            MemorySegment left,
            long leftFrom,
            long leftTo,
            MemorySegment right,
            long rightFrom,
            long rightTo) {
        // Ids are short: comparing them as numbers is cheaper than {@code MemorySegment.mismatch}.
        long length = Math.min(leftTo - leftFrom, rightTo - rightFrom);
        long at = 0;
        for (; at <= length - Long.BYTES; at += Long.BYTES) {
            long number = left.get(BIG_ENDIAN, leftFrom + at);
            long other = right.get(BIG_ENDIAN, rightFrom + at);
            if (number != other) {
                return Long.compareUnsigned(number, other);
            }
        }
        for (; at < length; at++) {
            int order = compareBytes(left, leftFrom + at, right, rightFrom + at);
            if (order != 0) {
                return order;
            }
        }
        return Long.compare(leftTo - leftFrom, rightTo - rightFrom);
    }

    /** Compares texts as if {@link #END} followed each. No text contains it. */
    static int compareEnded(
            MemorySegment left,
            long leftFrom,
            long leftTo,
            MemorySegment right,
            long rightFrom,
            long rightTo) {
        long at = MemorySegment.mismatch(left, leftFrom, leftTo, right, rightFrom, rightTo);
        if (at < 0) {
            return 0;
        }
        if (at == leftTo - leftFrom) {
            return Byte.compareUnsigned(END, right.get(ValueLayout.JAVA_BYTE, rightFrom + at));
        }
        if (at == rightTo - rightFrom) {
            return Byte.compareUnsigned(left.get(ValueLayout.JAVA_BYTE, leftFrom + at), END);
        }
        return compareBytes(left, leftFrom + at, right, rightFrom + at);
    }

    private static int compareBytes(MemorySegment left, long at, MemorySegment right, long other) {
        return Byte.compareUnsigned(
                left.get(ValueLayout.JAVA_BYTE, at), right.get(ValueLayout.JAVA_BYTE, other));
    }
}
